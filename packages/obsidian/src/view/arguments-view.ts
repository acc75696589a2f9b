import type { JsonObject, JsonValue } from '@dragoman/agent';
import { el } from './dom.ts';
import { visibleText } from './visible-text.ts';

/** A longer text is shown in part until its person wants all of it. UTF-16 units. */
const longestText = 2_000;

/** Draws the arguments of a call, each with its name. */
export function drawArguments(values: JsonObject): HTMLElement {
  const entries = Object.entries(values);
  if (entries.length === 0) return el('p', { class: 'dragoman-muted' }, 'No arguments.');
  return el(
    'dl',
    { class: 'dragoman-arguments' },
    ...entries.flatMap(([name, value]) => [el('dt', {}, visibleText(name)), el('dd', {}, drawText(textOf(value)))]),
  );
}

/** Draws a text as it is, line by line. */
export function drawText(given: string): HTMLElement {
  const text = visibleText(given);
  const pre = el('pre', { class: 'dragoman-plain', tabindex: '0' }, text.slice(0, longestText));
  if (text.length <= longestText) return pre;
  const showAll = () => {
    more.remove();
    pre.textContent = text;
    pre.focus();
  };
  const words = `Show all ${text.length.toLocaleString()} characters`;
  const more = el('button', { type: 'button', class: 'dragoman-link', onclick: showAll }, words);
  return el('div', {}, pre, more);
}

function textOf(value: JsonValue): string {
  return typeof value === 'string' ? value : JSON.stringify(value, undefined, 2);
}
