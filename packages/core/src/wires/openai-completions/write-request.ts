import { effortOf } from '../../chat/effort.ts';
import type { ChatRequest, Sampling } from '../../chat/request.ts';
import type { Warning } from '../../chat/warning.ts';
import { reportDropped, reportForeign } from '../report-dropped.ts';
import type { Quirks, WrittenRequest } from '../wire.ts';
import { writeSampling } from '../write-openai-sampling.ts';
import { promptOf } from './prompt-of.ts';
import type { OpenaiCompletionsQuirk } from './quirks.ts';
import { type Template, type TemplateName, templateNames, templates } from './templates.ts';
import { ridingRequestFields, wireId } from './types.ts';
import { writePrompt } from './write-prompt.ts';

/**
 * The limit on a reply to a conversation that names none, in tokens. Without one these servers stop after 16, which suits
 * a line of code but no answer; much more than that, and some refuse it beside a long prompt.
 */
const defaultMaxTokens = 2048;

/**
 * A canonical request as a Completions body. A prompt that came from a client of this wire goes as it is; a conversation
 * is written in the template that the quirks name, and the template's stops join those of the request. It asks for a
 * stream with usage, unless a quirk says no. What only other wires know, and tools above all, is dropped and reported.
 */
export function writeRequest(request: ChatRequest, model: string, quirks: Quirks): WrittenRequest {
  const has = (quirk: OpenaiCompletionsQuirk) => quirks[quirk] === true;
  const warnings: Warning[] = [];
  reportForeign(warnings, request.extra, wireId);
  if (request.tools.length > 0) reportDropped(warnings, `Tools can't be said in ${wireId}.`);
  if (request.outputFormat !== undefined) reportDropped(warnings, `The form of the answer can't be said in ${wireId}.`);
  if (effortOf(request) !== undefined) reportDropped(warnings, `An effort of reasoning can't be said in ${wireId}.`);
  const template = templates[templateOf(quirks)];
  const prompt = promptOf(request);
  const body = {
    model,
    prompt: prompt === undefined ? writePrompt(request.messages, template, warnings) : prompt.text,
    ...writeSampling(prompt === undefined ? conversationSampling(request.sampling, template) : request.sampling, {
      maxTokensField: 'max_tokens',
    }),
    stream: !has('noStream'),
    ...(has('noStream') || has('noStreamOptions') ? {} : { stream_options: { include_usage: true } }),
    ...riding(request),
  };
  return { path: '/completions', body, warnings };
}

function conversationSampling(sampling: Sampling, template: Template): Sampling {
  const stop = [...new Set([...(sampling.stop ?? []), ...template.stop])];
  return { ...sampling, maxTokens: sampling.maxTokens ?? defaultMaxTokens, stop };
}

function templateOf(quirks: Quirks): TemplateName {
  return templateNames.find((name) => name === quirks.template) ?? 'plain';
}

/** This wire's own fields as they came. */
function riding(request: ChatRequest): { readonly [field: string]: unknown } {
  const own = Object.entries(request.extra[wireId] ?? {});
  return Object.fromEntries(own.filter(([field]) => ridingRequestFields.some((known) => known === field)));
}
