import { effortOf } from '../chat/effort.ts';
import type { Extra, ImagePart } from '../chat/message.ts';
import type { ChatRequest, Sampling } from '../chat/request.ts';
import type { Warning } from '../chat/warning.ts';
import type { JsonObject } from './read-values.ts';

/** The cure of what is lost without harm. */
export const nothingToDo = 'Nothing needs to be done.';

const inWords = 'If the model needs it, write it into a message.';

/**
 * Reports that a wire has no words for something, once for each `message`: a history repeats the same loss in turn after
 * turn.
 */
export function reportDropped(warnings: Warning[], message: string): void {
  if (warnings.some((warning) => warning.code === 'field-dropped' && warning.message === message)) return;
  warnings.push({ code: 'field-dropped', message });
}

/** Something for which a wire has no field. */
interface NoField {
  readonly wire: string;
  /** What was left out, as the subject of a sentence. */
  readonly what: string;
  /** A sentence: what can be done. */
  readonly cure?: string;
}

/** The cure where calls and results have no field. */
export const taughtCure = 'Let a dialect write it: "toolCalling": "auto" in the model rule.';

/** Reports, once, what was left out because the wire has no field for it. */
export function reportNoField(warnings: Warning[], { wire, what, cure = nothingToDo }: NoField): void {
  reportDropped(warnings, `${what} was left out: ${wire} has no field for it. ${cure}`);
}

/** Reports the name of a user, which only one wire knows. */
export function reportName(warnings: Warning[], wire: string): void {
  reportNoField(warnings, { wire, what: 'The name of a user', cure: inWords });
}

/** Reports what a request says of sampling to a wire that knows none of it. */
export function reportSampling(warnings: Warning[], sampling: Sampling, wire: string): void {
  const asked = Object.keys(sampling).join(', ');
  if (asked !== '') reportNoField(warnings, { wire, what: `Sampling (${asked})` });
}

/** Reports those of the fields that a request has. */
export function reportFields(warnings: Warning[], fields: JsonObject, wire: string): void {
  for (const [what, value] of Object.entries(fields)) {
    if (value !== undefined) reportNoField(warnings, { wire, what });
  }
}

/** Reports tools and the form of the answer, which a wire of text alone cannot say. */
export function reportNoTools(
  warnings: Warning[],
  { tools, outputFormat }: Pick<ChatRequest, 'tools' | 'outputFormat'>,
  wire: string,
): void {
  if (tools.length > 0) reportNoField(warnings, { wire, what: 'The list of tools', cure: taughtCure });
  if (outputFormat !== undefined) reportNoField(warnings, { wire, what: 'The form of the answer', cure: inWords });
}

/** Reports what a request says of the schema of an answer beside the schema. */
export function reportDescription(
  warnings: Warning[],
  { description }: { readonly description?: string },
  wire: string,
) {
  if (description !== undefined) {
    reportNoField(warnings, { wire, what: "The description of the answer's schema", cure: inWords });
  }
}

/** Reports how closely the model is to look at an image. */
export function reportDetail(warnings: Warning[], { detail = 'auto' }: ImagePart, wire: string): void {
  if (detail !== 'auto') reportNoField(warnings, { wire, what: 'The "detail" of an image' });
}

/** Reports an image in a message for which the wire knows only text, and says what is in its place. */
export function imageLeftOut(warnings: Warning[], role: string, wire: string): string {
  const cure = role === 'user' ? 'Describe it in words.' : 'Send it as the user.';
  const message = `An image in a ${role} message was left out: ${wire} takes only text there. ${cure}`;
  warnings.push({ code: 'part-dropped', message });
  return '[image left out]';
}

/** Reports an image whose type neither its bytes nor the client tell. */
export function reportUnknownImage(warnings: Warning[]): void {
  const message = 'An image of an unknown type was left out. Send PNG, JPEG, GIF or WebP.';
  warnings.push({ code: 'part-dropped', message });
}

/** Reports a failed tool, of which the model gets only the output. */
export function reportFailure(warnings: Warning[], wire: string): void {
  reportNoField(warnings, { wire, what: 'The status of a failed tool', cure: 'Say in its output that it failed.' });
}

/** Reports the fields of a request that only other wires know. */
export function reportForeign(warnings: Warning[], extra: Extra, wire: string): void {
  for (const [other, fields] of Object.entries(extra)) {
    if (other === wire) continue;
    const names = Object.keys(fields).slice(0, 20).join(', ');
    const cure = `If the model needs that, ask an upstream of the wire ${other}.`;
    reportDropped(warnings, `What only ${other} knows was left out: ${names}. ${cure}`);
  }
}

/** How much to think, for a wire that has no word for a budget: that is told as an effort, and reported. */
export function effortAlone(request: ChatRequest, warnings: Warning[]): string | undefined {
  const effort = effortOf(request);
  if (effort !== undefined && request.reasoningEffort === undefined) {
    const budget = `A budget of ${request.reasoningBudget} tokens for reasoning`;
    reportDropped(warnings, `${budget} was sent as the effort "${effort}". ${nothingToDo}`);
  }
  return effort;
}

/** What is said, once, of probabilities that came with a reply: events have no place for them. */
export const leftOutProbabilities: Warning = {
  code: 'field-ignored',
  message: 'The probabilities of tokens that came with the reply were left out.',
};
