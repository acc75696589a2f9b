import { createHash } from 'node:crypto';
import type { ModelRule, ToldModel } from '@dragoman/core';

type Fields = Readonly<Record<string, unknown>>;

/** Stands where Ollama names the family of a model's weights, of which the gateway knows nothing. */
const architecture = 'dragoman';

/** A length that never ends, for models that are never unloaded. */
const farFuture = '9999-12-31T23:59:59Z';

/** An entry of `GET /api/tags`. Some clients read `name`, others `model`, and the strictest wants all details. */
export function writeTag({ id, created }: ToldModel): Fields {
  return {
    name: id,
    model: id,
    modified_at: momentOf(created),
    size: 0,
    digest: createHash('sha256').update(id, 'utf8').digest('hex'),
    details,
  };
}

/** An entry of `GET /api/ps`: every model is ready, and takes none of this machine's memory that we know of. */
export function writeRunning(model: ToldModel): Fields {
  const { modified_at: _, ...entry } = writeTag(model);
  const { contextWindow } = model;
  return {
    ...entry,
    expires_at: farFuture,
    size_vram: 0,
    ...(contextWindow === undefined ? {} : { context_length: contextWindow }),
  };
}

/**
 * The answer of `POST /api/show`. Clients take from it whether a model calls tools, sees pictures and thinks, how long its
 * context is, and the name to show: each model has its own. An unknown context window is left out, never guessed.
 */
export function writeShow(model: ToldModel, rule: ModelRule): Fields {
  const { id, contextWindow, toolCalling, images, reasoning, created } = model;
  const parameters = writeParameters(rule);
  return {
    license: '',
    modelfile: [`FROM ${id}`, ...parameters.map((line) => `PARAMETER ${line}`)].join('\n'),
    parameters: parameters.join('\n'),
    template: '{{ .Prompt }}',
    details,
    model_info: {
      'general.architecture': architecture,
      'general.basename': id,
      ...(contextWindow === undefined ? {} : { [`${architecture}.context_length`]: contextWindow }),
    },
    capabilities: [
      'completion',
      ...(toolCalling ? ['tools'] : []),
      ...(images ? ['vision'] : []),
      ...(reasoning === true ? ['thinking'] : []),
    ],
    modified_at: momentOf(created),
  };
}

function momentOf(seconds: number): string {
  return new Date(seconds * 1000).toISOString();
}

const details = {
  parent_model: '',
  format: architecture,
  family: architecture,
  families: [architecture],
  parameter_size: '',
  quantization_level: '',
} as const;

/** One parameter a line, as in a Modelfile. */
function writeParameters({ contextWindow, sampling }: ModelRule): readonly string[] {
  const { temperature, topP, maxTokens, stop = [] } = sampling;
  return [
    ...(contextWindow === 0 ? [] : [`num_ctx ${contextWindow}`]),
    ...(maxTokens === undefined ? [] : [`num_predict ${maxTokens}`]),
    ...(temperature === undefined ? [] : [`temperature ${temperature}`]),
    ...(topP === undefined ? [] : [`top_p ${topP}`]),
    ...stop.map((text) => `stop ${JSON.stringify(text)}`),
  ];
}
