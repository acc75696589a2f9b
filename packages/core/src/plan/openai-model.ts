import type { ModelDescription } from './model-description.ts';

/**
 * A model as an entry of OpenAI's list. OpenAI says nothing of what a model can do, so each client looks for it where
 * another server has put it: `context_length`, `architecture` and `supported_parameters` are OpenRouter's words.
 */
export function writeOpenaiModel(model: ModelDescription): Readonly<Record<string, unknown>> {
  const { id, upstream, displayName, contextWindow, maxOutput, images, toolCalling, reasoning, created } = model;
  return {
    id,
    object: 'model',
    created,
    owned_by: upstream,
    name: displayName,
    ...(contextWindow === undefined ? {} : { context_window: contextWindow, context_length: contextWindow }),
    ...(maxOutput === undefined ? {} : { max_output_tokens: maxOutput }),
    tool_calling: toolCalling,
    images,
    ...(reasoning === undefined ? {} : { reasoning }),
    architecture: { input_modalities: images ? ['text', 'image'] : ['text'], output_modalities: ['text'] },
    supported_parameters: [
      'max_tokens',
      'temperature',
      'top_p',
      'stop',
      ...(toolCalling ? ['tools', 'tool_choice'] : []),
      ...(reasoning === true ? ['reasoning'] : []),
    ],
  };
}
