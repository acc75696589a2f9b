// Table: what people are told of the form of each dialect, apart from the dialects, so that programs which only read and write carry none of it.

const template = (models: string) => `chat template of ${models}`;
const card = (models: string) => `model card of ${models}`;

export interface KnownForm {
  /** A call, and whose models write it, on one line. */
  readonly summary: string;
  /** Where it is published: what its table and its prompt were made of. */
  readonly source: string;
}

/** By the dialect's id. */
export const knownForms: ReadonlyMap<string, KnownForm> = new Map(
  Object.entries({
    'anthropic-xml': {
      summary:
        '`<invoke name="…"><parameter name="…">…</parameter></invoke>`: Claude by prompt, models trained on its transcripts',
      source: 'the tools prompt of the first Claude models',
    },
    apertus: {
      summary: '`<|tools_prefix|>[{"NAME":{…}}]<|tools_suffix|>`: Apertus',
      source: `${template('Apertus 2509')}, the vendor's description of its format, Ollama's renderer for 1.5`,
    },
    apriel: {
      summary: '`<tool_calls>[{"name":…,"arguments":{…}}]</tool_calls>`: Apriel 1.5 and 1.6',
      source: template('Apriel 1.5 and 1.6'),
    },
    'cline-xml': {
      summary: '`<read><path>…</path></read>`: any strong model by prompt',
      source: "Cline's system prompt",
    },
    cohere: {
      summary:
        '`<|START_ACTION|>[{"tool_call_id":"0","tool_name":…,"parameters":{…}}]<|END_ACTION|>`: Command R7B, Command A and later',
      source: `${template('Command R7B')}, Ollama's renderer for Command A of 2026`,
    },
    'command-r': {
      summary: '`Action:` and a `json` fence with `[{"tool_name":…,"parameters":{…}}]`: Command R and R+ of 2024',
      source: `${template('Command R and R+ 08-2024')}, example template of vLLM`,
    },
    'deepseek-dsml': {
      summary: '`<｜DSML｜invoke name="…"><｜DSML｜parameter name="…" string="true">…`: DeepSeek V3.2, V4, V4.1',
      source: `encoder of DeepSeek V3.2 and V4 (no template is published)`,
    },
    'deepseek-v3': {
      summary: '`<｜tool▁call▁begin｜>function<｜tool▁sep｜>NAME` and a JSON fence: DeepSeek V3, R1-0528',
      source: template('DeepSeek V3-0324 and R1-0528'),
    },
    'deepseek-v3.1': {
      summary: '`<｜tool▁call▁begin｜>NAME<｜tool▁sep｜>{…}<｜tool▁call▁end｜>`: DeepSeek V3.1',
      source: template('DeepSeek V3.1'),
    },
    ernie45: {
      summary: '`<tool_call>{"name":…,"arguments":{…}}</tool_call>`, text in `<response>`: ERNIE 4.5 with thinking',
      source: template('ERNIE 4.5 Thinking'),
    },
    'fenced-json': {
      summary: 'a `json` fence with `{"name":…,"arguments":{…}}`: any model by prompt, or by accident',
      source: 'what models write that were asked for JSON',
    },
    'functionary-v3.1': {
      summary: '`<function=NAME>{…}</function>`: Functionary 3.1, Llama 3.1 where its prompt asks for it',
      source: template('Functionary v3.1'),
    },
    'functionary-v3.2': {
      summary: '`>>>NAME⏎{…}`, text as `>>>all⏎`: Functionary 3.2',
      source: template('Functionary v3.2'),
    },
    functiongemma: {
      summary: '`<start_function_call>call:NAME{key:<escape>value<escape>}<end_function_call>`: FunctionGemma',
      source: template('FunctionGemma'),
    },
    'gemma-fence': {
      summary:
        'a `tool_code` fence with `NAME(key="value")`, or a `tool_call` fence with JSON: Gemma 2 and 3 by prompt',
      source: "Google's prompts for function calling with Gemma",
    },
    gemma4: {
      summary: '`<|tool_call>call:NAME{key:<|"|>value<|"|>}<tool_call|>`: Gemma 4',
      source: template('Gemma 4'),
    },
    gigachat3: {
      summary:
        '`function call<|role_sep|>` and `{"name":…,"arguments":{…}}`: GigaChat 3; after `<|function_call|>`: 3.1',
      source: template('GigaChat 3 and 3.1'),
    },
    'gigachat3.5': {
      summary: '`<｜GCML｜invoke name="…"><｜GCML｜parameter name="…" string="true">…`: GigaChat 3.5',
      source: template('GigaChat 3.5'),
    },
    glm: {
      summary: '`<tool_call>NAME<arg_key>…</arg_key><arg_value>…</arg_value></tool_call>`: GLM 4.5 to 5, Laguna',
      source: template('GLM 4.5 to 5'),
    },
    granite: {
      summary: '`<|tool_call|>[{"name":…,"arguments":{…}}]`: Granite 3.0 to 3.3, Granite 20B function calling',
      source: `${template('Granite 3.0')}, reader of vLLM for 3.1 to 3.3, its example template for Granite 20B`,
    },
    harmony: {
      summary: '`<|channel|>commentary to=functions.NAME <|constrain|>json<|message|>{…}<|call|>`: gpt-oss',
      source: "OpenAI's description of the harmony format",
    },
    hermes: {
      summary:
        '`<tool_call>{"name":…,"arguments":{…}}</tool_call>`: Hermes 2 to 4, Qwen2.5, Qwen3 (but Qwen3-Coder and 3.5 write another form), QwQ, Granite 4',
      source: template('Hermes 2 Pro, Qwen2.5 and Qwen3'),
    },
    'hunyuan-a13b': {
      summary: '`<tool_calls>[{"name":…,"arguments":{…}}]</tool_calls>`: Hunyuan A13B',
      source: template('Hunyuan A13B'),
    },
    'hy-v3': {
      summary:
        '`<tool_calls><tool_call>NAME<tool_sep><arg_key>…</arg_key><arg_value>…`: Hunyuan V3; V4 with a suffix in every tag',
      source: `${template('Hy3')}, reader of vLLM for Hy4`,
    },
    hyperclovax: {
      summary: '`assistant -> tool/function_call` and `[{"name":…,"arguments":{…}}]`: HyperCLOVA X SEED Think 14B',
      source: `${card('HyperCLOVA X SEED Think 14B')}, example template of vLLM`,
    },
    inkling: {
      summary: '`<|message_model|>NAME<|content_invoke_tool_json|>{"name":…,"args":{…}}<|end_message|>`: Inkling',
      source: 'prompt renderer and readers of vLLM and SGLang for Inkling',
    },
    internlm2: {
      summary: '`<|action_start|><|plugin|>{"name":…,"parameters":{…}}<|action_end|>`: InternLM 2, 2.5 and 3',
      source: "InternLM's description of its chat format, example template of vLLM",
    },
    jamba: {
      summary: '`<tool_calls>[{"name":…,"arguments":{…}}]</tool_calls>`: Jamba 1.5 to 1.7',
      source: template('Jamba 1.5 to 1.7'),
    },
    'kimi-k2': {
      summary: '`<|tool_call_begin|>functions.NAME:INDEX<|tool_call_argument_begin|>{…}<|tool_call_end|>`: Kimi K2',
      source: template('Kimi K2'),
    },
    'kimi-k3': {
      summary: '`<|open|>call tool="…" index="1"<|sep|><|open|>argument key="…" type="…"<|sep|>…`: Kimi K3',
      source: template('Kimi K3'),
    },
    lfm2: {
      summary: '`<|tool_call_start|>[name(key="value"), other()]<|tool_call_end|>`: LFM2, LFM2.5',
      source: template('LFM2 and LFM2.5'),
    },
    'llama3-json': {
      summary: '`{"name":…,"parameters":{…}}` on a line of its own: Llama 3.1 to 3.3, often Llama 4',
      source: `${template('Llama 3.1 and 3.3')}, Meta's prompt guide`,
    },
    longcat: {
      summary: '`<longcat_tool_call>NAME<longcat_arg_key>…</longcat_arg_key><longcat_arg_value>…`: LongCat Flash',
      source: `${card('LongCat Flash')}, the vendor's reader for SGLang`,
    },
    'mcp-xml': {
      summary:
        '`<use_mcp_tool><server_name>…</server_name><tool_name>…</tool_name><arguments>{…}</arguments></use_mcp_tool>`: MiroThinker',
      source: template('MiroThinker'),
    },
    minicpm5: {
      summary: '`<function name="…"><param name="…">…</param></function>`: MiniCPM 5',
      source: template('MiniCPM 5'),
    },
    'minimax-m1': {
      summary: '`<tool_calls>` and JSON objects `{"name":…,"arguments":{…}}` a line each: MiniMax M1',
      source: 'function call guide of MiniMax M1, example template of vLLM',
    },
    'minimax-m2': {
      summary:
        '`<minimax:tool_call><invoke name="…"><parameter name="…">…</parameter></invoke></minimax:tool_call>`: MiniMax M2, M2.1, M2.5',
      source: template('MiniMax M2'),
    },
    'minimax-m3': {
      summary: '`]<]minimax[>[<invoke name="…">]<]minimax[>[<KEY>…]<]minimax[>[</KEY>…`: MiniMax M3',
      source: template('MiniMax M3'),
    },
    'mistral-args': {
      summary: '`[TOOL_CALLS]NAME[ARGS]{…}`: Mistral Small 3.2, Magistral, Devstral, Ministral 3 and later',
      source: "Mistral's tokenizer from v11 on",
    },
    'mistral-json': {
      summary:
        '`[TOOL_CALLS] [{"name":…,"arguments":{…},"id":…}]`: Mistral 7B v0.3, Mixtral 8x22B, Mistral Nemo and Large 2407',
      source: "Mistral's tokenizers v3 to v7",
    },
    'muse-glimmer': {
      summary: '`to=NAME<|message|><atem:invoke name="…"><atem:parameter name="…">…`: Muse Glimmer',
      source: 'example template of vLLM for Muse Glimmer',
    },
    'nemotron-toolcall': {
      summary: '`<TOOLCALL>[{"name":…,"arguments":{…}}]</TOOLCALL>`: Nemotron Nano v2, Nemotron Super 49B v1.5',
      source: template('Nemotron Nano v2 and Super v1.5'),
    },
    olmo3: {
      summary: '`<function_calls>name(key="value")</function_calls>`: Olmo 3 and 3.1',
      source: template('Olmo 3'),
    },
    'phi4-mini': {
      summary: '`functools[{"name":…,"arguments":{…}}]`, also between `<|tool_call|>` tokens: Phi-4-mini, FireFunction',
      source: `${card('Phi-4-mini')}, example templates of vLLM and llama.cpp`,
    },
    plamo3: {
      summary:
        '`<|plamo:begin_tool_name:plamo|>NAME<|plamo:end_tool_name:plamo|>` and `{…}` between tokens of its own: PLaMo 3',
      source: 'readers of vLLM and SGLang',
    },
    pythonic: {
      summary:
        '`[name(key="value", n=1), other()]` on a line of its own: Llama 3.2 1B and 3B, Llama 4, ToolACE, Gemma 3 by prompt',
      source: "Meta's prompt guides, example templates of vLLM for Llama 3.2 and 4",
    },
    'qwen3-coder': {
      summary:
        '`<tool_call><function=…><parameter=…>…</parameter></function></tool_call>`: Qwen3-Coder, Qwen3.5 and later, Nemotron 3, Step 3.5, MiMo v2',
      source: template('Qwen3-Coder and Qwen3.5'),
    },
    'seed-oss': {
      summary: '`<seed:tool_call><function=…><parameter=…>…</parameter></function></seed:tool_call>`: Seed-OSS',
      source: template('Seed-OSS'),
    },
    'solar-open2': {
      summary:
        '`<|tool_call:start|>NAME` and `<|tool_arg:start|>…<|tool_arg:value|>…<|tool_arg:end|>` lines: Solar Open 2',
      source: 'reader of vLLM for Solar Open 2, written by the vendor',
    },
    step3: {
      summary:
        '`<｜tool_call_begin｜>function<｜tool_sep｜><steptml:invoke name="…"><steptml:parameter name="…">…`: Step 3',
      source: 'readers of vLLM and SGLang for Step 3',
    },
    'tool-request': {
      summary:
        '`[TOOL_REQUEST]{"name":…,"arguments":{…}}[END_TOOL_REQUEST]`: any model by prompt, as LM Studio teaches it',
      source: "LM Studio's prompt for models without training",
    },
    xlam: {
      summary: '`[{"name":…,"arguments":{…}}]` on a line of its own: xLAM',
      source: `${card('xLAM 1 and 2')}, example templates of vLLM`,
    },
  }),
);
