import { effortOf } from '../../chat/effort.ts';
import { createEscape } from '../../chat/escape.ts';
import { type Message, textOf } from '../../chat/message.ts';
import type { ChatRequest, Sampling } from '../../chat/request.ts';
import type { Warning } from '../../chat/warning.ts';
import { writeSampling } from '../openai-sampling.ts';
import { pick } from '../read-values.ts';
import {
  imageLeftOut,
  reportForeign,
  reportName,
  reportNoField,
  reportNoTools,
  taughtCure,
} from '../report-dropped.ts';
import type { Quirks, WrittenRequest } from '../wire.ts';
import type { OpenaiCompletionsQuirk } from './quirks.ts';
import { type ChatTemplateName, type Template, templateNames, templates } from './templates.ts';
import { promptOf, ridingRequestFields, wireId } from './types.ts';

/**
 * The limit on a reply to a conversation that names none, in tokens. Without one these servers stop after 16, which suits
 * a line of code but no answer; much more than that, and some refuse it beside a long prompt.
 */
const defaultMaxTokens = 2048;

/** Where a body of this wire goes. */
export function destinationOf(): Pick<WrittenRequest, 'path'> {
  return { path: '/completions' };
}

/**
 * A canonical request as a Completions body. A prompt that came from a client of this wire goes as it is; a conversation
 * is written in the template that the quirks name, and the template's stops join those of the request. It asks for a
 * stream with usage, unless a quirk says no. What only other wires know, and tools above all, is dropped and reported.
 */
export function writeRequest(request: ChatRequest, model: string, quirks: Quirks): WrittenRequest {
  const has = (quirk: OpenaiCompletionsQuirk) => quirks[quirk] === true;
  const warnings: Warning[] = [];
  reportForeign(warnings, request.extra, wireId);
  reportNoTools(warnings, request, wireId);
  if (effortOf(request) !== undefined) reportNoField(warnings, { wire: wireId, what: 'The effort of reasoning' });
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
    ...pick(request.extra[wireId] ?? {}, ridingRequestFields),
  };
  return { body, warnings, ...destinationOf() };
}

function conversationSampling(sampling: Sampling, template: Template): Sampling {
  const stop = [...new Set([...(sampling.stop ?? []), ...template.stop])];
  return { ...sampling, maxTokens: sampling.maxTokens ?? defaultMaxTokens, stop };
}

function templateOf(quirks: Quirks): ChatTemplateName {
  return templateNames.find((name) => name === quirks.template) ?? 'plain';
}

/** One turn of the conversation, as a template sees it. */
interface Turn {
  readonly role: 'system' | 'user' | 'assistant';
  readonly text: string;
}

/**
 * A conversation as one text in which the model goes on. Whatever could open or close a turn of the template is
 * escaped in every message, the model's own among them: a server would take it for the real thing. Texts are not
 * changed in any other way. An assistant message at the end stays open, and the model continues it.
 *
 * Calls, results, reasoning and images have no place in a text; what still comes here is left out and told.
 */
function writePrompt(messages: readonly Message[], template: Template, warnings: Warning[]): string {
  const escaping = createEscape(template.markers);
  let escapes = 0;
  const turns = messages
    .flatMap((message) => turnsOf(message, warnings))
    .map((turn): Turn => {
      const { text, count } = escaping(turn.text);
      escapes += count;
      return { ...turn, text };
    });
  if (escapes > 0) {
    const message = `${escapes} marker(s) of the template in messages were escaped.`;
    warnings.push({ code: 'text-escaped', message });
  }
  const isOpen = messages.at(-1)?.role === 'assistant';
  return render(template.system === 'in-user' ? withoutSystem(turns) : turns, { template, isOpen });
}

/** `isOpen`: an assistant's turn at the end is not over. */
function render(
  turns: readonly Turn[],
  { template, isOpen }: { readonly template: Template; readonly isOpen: boolean },
): string {
  const last = turns.length - 1;
  const goesOn = isOpen && turns[last]?.role === 'assistant';
  const texts = turns.map(({ role, text }, at) => {
    const enclosure = template[role];
    const [before, after] = enclosure === 'in-user' ? template.user : enclosure;
    return before + text + (goesOn && at === last ? '' : after);
  });
  return texts.join('') + (goesOn ? '' : template.opener);
}

/** System texts and users' words that stand side by side, as one user turn. */
function withoutSystem(turns: readonly Turn[]): readonly Turn[] {
  const joined: Turn[] = [];
  for (const turn of turns) {
    const role = turn.role === 'system' ? 'user' : turn.role;
    const last = joined.at(-1);
    if (role === 'user' && last?.role === 'user')
      joined[joined.length - 1] = { role, text: `${last.text}\n\n${turn.text}` };
    else joined.push({ role, text: turn.text });
  }
  return joined;
}

function turnsOf(message: Message, warnings: Warning[]): readonly Turn[] {
  switch (message.role) {
    case 'system':
    case 'user':
      if (message.role === 'user' && message.name !== undefined) reportName(warnings, wireId);
      return [{ role: message.role, text: readable(message, warnings) }];
    case 'assistant': {
      const kinds = new Set(message.content.map(({ type }) => type));
      if (kinds.has('reasoning')) reportNoField(warnings, { wire: wireId, what: 'Past reasoning' });
      if (kinds.has('tool-call')) reportPast('A past call', warnings);
      // What the model wrote was cut into parts by us, not by it.
      return kinds.has('text') ? [{ role: 'assistant', text: textOf(message.content, '') }] : [];
    }
    case 'tool':
      reportPast('The result of a call', warnings);
      return [];
    default:
      return message satisfies never;
  }
}

function readable({ role, content }: Extract<Message, { role: 'system' | 'user' }>, warnings: Warning[]): string {
  const texts = content.map((part) => (part.type === 'text' ? part.text : imageLeftOut(warnings, role, wireId)));
  return texts.join('\n');
}

function reportPast(what: string, warnings: Warning[]): void {
  reportNoField(warnings, { wire: wireId, what, cure: taughtCure });
}
