import {
  callPolicyWords,
  defaultCallPolicy,
  defaultModelRule,
  finalAnswerWords,
  nudgedAnswers,
  resultWords,
  ruleWords,
} from '@dragoman/core';
import { z } from 'zod';
import { dialectNames } from './known-names.ts';
import { flag, optional, text, whole, word } from './schema-values.ts';

/** What a model rule may decide of calls; each field is documented at `CallPolicy` in core. */
const policySchema = z
  .strictObject({
    reasoning: word(callPolicyWords.reasoning, defaultCallPolicy.reasoning).describe(
      'Whole calls in reasoning, when the reply ends well and holds no other call. `never`: not run. `candidate`: not run, and a warning if there is no answer either. `fire`: run.',
    ),
    fences: word(callPolicyWords.fences, defaultCallPolicy.fences).describe(
      'Call syntax in code (fences, spans, indented, `<pre>`, `<code>`), quotations or HTML comments. `text`: stays text. `fire`: is a call.',
    ),
    undeclared: word(callPolicyWords.undeclared, defaultCallPolicy.undeclared).describe(
      'Calls to tools that the client did not declare. `forward`: the client gets them. `text`: stay text. `drop`: left out with a warning.',
    ),
    names: optional
      .word(callPolicyWords.names)
      .describe(
        'How far the name of a tool may differ from the declared one. `exact`: not at all. `normalised`: in letter case, `-` and `_`, or a `functions.` in front. `nearest`: also in one or two letters. Default: `normalised`; for `cline-xml` `exact`.',
      ),
    entities: word(callPolicyWords.entities, defaultCallPolicy.entities).describe(
      'Character references such as `&lt;` in values between tags. `raw`: stay as they are. `decode`: decoded once, where a value has no raw `<`, `>` or bare `&`.',
    ),
    textAfterCalls: word(callPolicyWords.textAfterCalls, defaultCallPolicy.textAfterCalls).describe(
      'Text after a call. `keep`: delivered. `drop`: left out with a warning.',
    ),
    maxCalls: optional.whole(1).describe('The most calls in a reply, for a client that allows any number.'),
    surplus: word(callPolicyWords.surplus, defaultCallPolicy.surplus).describe(
      'Calls in text that `maxCalls`, the client or `tool_choice` does not allow. `text`: stay text. `drop`: left out with a warning, as native ones always are.',
    ),
  })
  .describe('What counts as a call, and what becomes of what does not; see docs/policies.md.');

const { results } = defaultModelRule;

/** What says more is no reminder of instructions, but instructions. */
const longestRedundant = 300;

const granularity = z.union([
  z.enum(['as-written', 'whole', 'characters', 'words']),
  z.strictObject({ size: z.int().min(1) }),
]);

const resultRule = z
  .strictObject({
    format: word(resultWords.format, results.format).describe(
      'How a result is written for a text model. `native`: in the form of the dialect.',
    ),
    mode: word(resultWords.mode, results.mode).describe(
      'Missing and unmatched results. `lenient`: repaired with a warning. `strict`: the request is refused with 400 `invalid-tool-results`.',
    ),
    orphans: word(resultWords.orphans, results.orphans).describe(
      'Results without a call, unless `mode` is `strict`. `text`: become text of the user. `call`: each gets a made-up call. `drop`: left out. `auto`: `text` if no result has a call, else left out.',
    ),
    maxLength: whole(0, results.maxLength).describe(
      'The most characters (UTF-16 units) of a result. A longer one loses its middle, and a note says so. 0: no limit.',
    ),
    maxRoundLength: whole(0, results.maxRoundLength).describe(
      'The same for all results of one round together: the longest ones are shortened. 0: no limit.',
    ),
    errorPrefix: flag(results.errorPrefix).describe(
      'Whether a result that starts with `Error:` and has no status counts as an error.',
    ),
    ascii: flag(results.ascii).describe('Writes the status in plain words instead of symbols.'),
  })
  .describe('How the results of tools are matched with their calls and written for the model.');

const guardRule = z
  .strictObject({
    rounds: optional
      .whole(0)
      .describe(
        'The most rounds of calls since a person last asked. Then the model is asked once more, without tools. 0: any number. Default: 20 where the upstream keeps the conversation, else 0.',
      ),
    repeats: optional.flag.describe(
      'For a model that makes the same calls and gets the same results. From the third time in a row it is told so, at the sixth it is stopped. Default: text models are told; stopped are those of upstreams that keep the conversation.',
    ),
  })
  .describe('What ends a loop of calls that leads nowhere; see docs/models.md.');

const nudge = z
  .strictObject({
    max: z
      .int()
      .min(0)
      .max(3)
      .default(defaultModelRule.nudge.max)
      .describe(
        'How often a model is asked again that did not make a required call (`tool_choice`: `required`, or the name of a tool). The client gets all that it said as one reply. 0: never.',
      ),
    answers: word(nudgedAnswers, defaultModelRule.nudge.answers).describe(
      'Whether the model is asked once more for an answer that has to be JSON and does not fit (docs/models.md). `auto`: if the form was asked for in words and the client does not stream. `once`: always; streams wait for the end, too. `never`: such answers come with a warning.',
    ),
  })
  .describe('Asks again for what is required: a call, or an answer of a form.');

const finalAnswer = z
  .strictObject({
    withTools: word(finalAnswerWords.withTools, defaultModelRule.finalAnswer.withTools).describe(
      'Calls in a reply that also holds a final answer. `run-tools`: run as ever. `stop`: delivered, but the reply ends with `stop`. `drop-tools`: held back with a warning.',
    ),
  })
  .describe('For text models whose prompt teaches them to say that they are done.');

const sampling = z
  .strictObject({
    temperature: z.number().min(0).exactOptional().describe('How freely it chooses. 0: always the most likely word.'),
    topP: z
      .number()
      .min(0)
      .max(1)
      .exactOptional()
      .describe('It chooses among the likeliest words that together have this probability.'),
    maxTokens: optional.whole(1).describe('The most tokens the answer may have.'),
    stop: z.array(text).exactOptional().describe('Texts at which the upstream ends the answer.'),
  })
  .describe(
    'How the model samples where the request does not say. Qwen models write calls best with `{ "temperature": 0.55, "topP": 1 }`.',
  );

/** Editors offer the built-in ones; `checkDialects` refuses what is neither one of them nor a name of the configuration's own. */
const dialect = z.union([z.enum(dialectNames), z.string().min(1)]);

/** What configuration may say of a model; each field is documented at `ModelRule` in core. */
export const modelRuleSchema = z
  .strictObject({
    toolCalling: z
      .union([z.enum(['auto', 'native', 'text']), z.strictObject({ dialect })])
      .default(defaultModelRule.toolCalling)
      .describe(
        'How the model calls tools (docs/models.md). `"auto"`: it is found out. `"native"`: the server does tool calling (function calling) itself; on the wire `openai-completions` tools are then refused. `"text"`: the server gets no tools, and calls in any dialect are read. `{ "dialect": id }`: calls are text in this dialect, which is built in or one of `dialects`.',
      ),
    alsoReads: z
      .array(dialect)
      .default([...defaultModelRule.alsoReads])
      .describe('Further dialects that are read but not taught, for a text model that sometimes writes another form.'),
    rescue: flag(defaultModelRule.rescue).describe(
      'Whether calls that a native model writes into its text by mistake become calls, each with a warning (docs/models.md). Not where `passthrough` applies.',
    ),
    systemText: word(ruleWords.systemText, defaultModelRule.systemText).describe(
      'Where system text goes: a system message, the front of the first user message, or both. At an upstream that keeps the conversation: the field `{{system}}` (if `conversation` names it), the message, or both.',
    ),
    systemLabels: word(ruleWords.systemLabels, defaultModelRule.systemLabels).describe(
      'The headings of several system texts in a user message. `agent`: `Agent Instructions`, `System Context 2`. `workspace`: the second is `Workspace Context`. `parts`: `System Instructions (Part 1)` and so on.',
    ),
    redundantSystem: z
      .union([z.boolean(), text.max(longestRedundant)])
      .default(false)
      .describe(
        `Where \`systemText\` puts the instructions elsewhere: a short text in the upstream's place for system text says where they are. Or that text itself, of at most ${longestRedundant} characters.`,
      ),
    inject: word(ruleWords.inject, defaultModelRule.inject).describe(
      'When an upstream that keeps the conversation is told system text and tools. `session`: at the beginning and when they change. `always`: with every message. `never`: it knows them already. Other upstreams get them with every request.',
    ),
    reminder: flag(defaultModelRule.reminder).describe(
      'Whether the last message of the user ends with the form of a call, for models that forget it. Not with `prompts`: write it into your template.',
    ),
    contextWindow: whole(0, defaultModelRule.contextWindow).describe(
      'How many tokens prompt and answer may have together, as clients are told. 0: what the list of the upstream says, else unknown.',
    ),
    upstreamName: optional.text.describe('The name of the model at the upstream, where it differs.'),
    opened: z
      .literal('reasoning')
      .exactOptional()
      .describe('`"reasoning"`: replies begin inside reasoning, because the chat template ends with its opening mark.'),
    callNonce: flag(defaultModelRule.callNonce).describe(
      'For text models: tools get a secret word in their names, such as `read_3f9a01c7`, so that a call copied out of a file or a page does not run. See docs/policies.md.',
    ),
    policy: policySchema.prefault({}),
    callDeltas: word(ruleWords.callDeltas, defaultModelRule.callDeltas).describe(
      '`eager`: arguments are sent while the model writes them. `complete`: a call is sent when it is whole, so one that breaks off never shows.',
    ),
    legacyText: word(ruleWords.legacyText, defaultModelRule.legacyText).describe(
      '`STATE:` lines, `FINAL:` marks and invented `User:` turns, which older agent prompts taught. `keep`: stay text. `drop`: left out.',
    ),
    reasoning: word(ruleWords.reasoning, defaultModelRule.reasoning).describe(
      'The thinking text of the model. `keep`: clients get it, unless they ask not to. `hide`: nobody gets it.',
    ),
    efforts: z
      .array(text)
      .exactOptional()
      .describe(
        'The efforts of reasoning that the model knows, such as `["low", "medium", "high"]`. Any other becomes the nearest. `[]`: none is sent, for models that refuse it. Left out: sent as clients ask.',
      ),
    outputFormat: word(ruleWords.outputFormat, defaultModelRule.outputFormat).describe(
      "How the model is told that its answer has to be JSON (docs/models.md). `native`: by the upstream's own field. `taught`: in words, for servers that refuse the field. `auto`: by the field, and also in words if the server may not know it.",
    ),
    constrainCalls: word(ruleWords.constrainCalls, defaultModelRule.constrainCalls).describe(
      'Which calls the server lets a text model write (docs/models.md). `auto`: if the request needs a call, one that fits. `choice`: else also a call that fits or an answer, for models that never begin a call. `free`: what begins as a call has to fit; only by a grammar. `json`: a required call is plain JSON, by the JSON field of any server. `off`: the model is only taught.',
    ),
    sampling: sampling.default({}),
    textGranularity: granularity
      .default(defaultModelRule.textGranularity)
      .describe(
        'The pieces of text and reasoning in a stream: as the model wrote them, whole, by character, by word, or of `size` characters. The text stays the same.',
      ),
    callGranularity: granularity
      .default(defaultModelRule.callGranularity)
      .describe(
        'The same for the arguments of calls. `"whole"` still shows the name when the call begins; `callDeltas` changes that.',
      ),
    passthrough: word(ruleWords.passthrough, defaultModelRule.passthrough).describe(
      'Whether replies pass byte for byte if client and upstream speak the same API and no setting changes the reply; whole answers only where time-outs allow it (docs/operations.md). `auto`: from OpenAI and Anthropic themselves. `always`: from any server. `never`: every reply is read, repaired and written anew.',
    ),
    guards: guardRule.prefault({}),
    nudge: nudge.prefault({}),
    finalAnswer: finalAnswer.prefault({}),
    results: resultRule.prefault({}),
    images: optional.flag.describe(
      'Whether the model reads images. Default: what the list of the upstream says, else no.',
    ),
    exampleCall: flag(defaultModelRule.exampleCall).describe(
      'Whether a made-up call with its result, before the conversation, shows the model the form.',
    ),
    prompts: optional.flag.describe(
      'Whether the templates of `prompts` write the whole prompt as one text (docs/prompts.md). Not for native calls. Default: yes where `prompts` is there and the upstream keeps the conversation.',
    ),
    maxPromptLength: whole(0, defaultModelRule.maxPromptLength).describe(
      'For text models: the most characters (UTF-16 units) of a prompt, or of a message where the upstream keeps the conversation (docs/models.md). 0: no limit.',
    ),
  })
  .describe('What is known of a model.');
