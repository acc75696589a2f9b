// Table: what opens and closes turns in the chat templates of models.

const bars = (words: readonly string[]) => words.map((word) => `<|${word}|>`);

/**
 * Control tokens of the templates that servers write conversations in. Most tokenizers take them for the real thing
 * wherever they stand, so in foreign text they could end a turn and forge another one. What is HTML as well (`<s>`) is
 * not among them: files that hold it are common, and nothing but a whole turn could be forged with it.
 *
 * Sources: the chat templates published with the models.
 */
export const turnMarkers: readonly string[] = [
  // ChatML: Qwen, Hermes, InternLM, LFM2, OLMo and others; Kimi K2
  ...bars(['im_start', 'im_end', 'im_sep', 'endoftext', 'im_user', 'im_assistant', 'im_system', 'im_middle']),
  // Llama 3 and 4
  ...bars(['begin_of_text', 'end_of_text', 'start_header_id', 'end_header_id', 'eot_id', 'eom_id']),
  ...bars(['header_start', 'header_end', 'eot']),
  // Phi, GLM
  ...bars(['system', 'user', 'assistant', 'end', 'observation']),
  '[gMASK]',
  // gpt-oss
  ...bars(['start', 'message', 'channel', 'endofprompt']),
  // Cohere, Granite
  ...bars(['START_OF_TURN_TOKEN', 'END_OF_TURN_TOKEN', 'USER_TOKEN', 'CHATBOT_TOKEN', 'SYSTEM_TOKEN']),
  ...bars(['start_of_role', 'end_of_role']),
  // DeepSeek
  '<｜begin▁of▁sentence｜>',
  '<｜end▁of▁sentence｜>',
  '<｜System｜>',
  '<｜User｜>',
  '<｜Assistant｜>',
  // Llama 2, Mistral
  '[INST]',
  '[/INST]',
  '<<SYS>>',
  '<</SYS>>',
  '[SYSTEM_PROMPT]',
  '[/SYSTEM_PROMPT]',
  // Gemma, MiniMax, Seed
  '<start_of_turn>',
  '<end_of_turn>',
  '<|turn>',
  '<turn|>',
  ']~b]',
  '[e~[',
  '<seed:bos>',
  '<seed:eos>',
];

/** What parsers read as thoughts wherever it stands: a model that copies it from a file would have thought from there on. */
export const reasoningMarkers: readonly string[] = ['<think>', '</think>', '<thinking>', '</thinking>'];
