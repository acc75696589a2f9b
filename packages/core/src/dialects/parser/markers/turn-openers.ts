// Table: what opens a turn of the other side in the chat templates of models.

import { spellings } from './spellings.ts';

/**
 * Behind a call, a model that writes one of these has begun to make up what it is told, whatever its dialect: most of them
 * can be taught to any model, and a model keeps its own template. The token that ended its own turn goes with it.
 *
 * Sources: the chat templates published with the models, as for `turnMarkers`, by which foreign text is escaped.
 */
export const turnOpeners: readonly string[] = [
  // ChatML; Llama 3 and 4
  ...spellings(['<|im_end|>\n', '<|im_end|>', ''], ['<|im_start|>'], ['user', 'tool']),
  ...spellings(['<|eot_id|>', '<|eom_id|>', ''], ['<|start_header_id|>'], ['user', 'ipython', 'tool']),
  ...spellings(['<|eot|>', ''], ['<|header_start|>'], ['user', 'ipython', 'tool']),
  // Gemma
  ...spellings(['<end_of_turn>\n', ''], ['<start_of_turn>'], ['user', 'tool', 'developer']),
  ...spellings(['<turn|>\n', ''], ['<|turn>'], ['user', 'tool']),
  // gpt-oss; Granite; MiniMax; Seed
  ...spellings(['<|start|>'], ['user', 'tool']),
  ...spellings(['<|start_of_role|>'], ['user', 'tool_response']),
  ...spellings([']~b]', '<seed:bos>'], ['user', 'tool']),
  // Phi and GLM; DeepSeek; Cohere; Mistral
  '<|user|>',
  '<｜User｜>',
  ...spellings(['<|START_OF_TURN_TOKEN|>'], ['<|USER_TOKEN|>', '<|SYSTEM_TOKEN|>']),
  '[INST]',
];
