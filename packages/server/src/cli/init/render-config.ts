import { docPage, ownCommand } from '../how-started.ts';

/** What goes into a new configuration. */
export interface Choices {
  readonly upstreams: readonly ChosenUpstream[];
  /** As clients ask for it, such as `ollama/qwen3:8b`. */
  readonly defaultModel?: string;
  readonly port: number;
}

export interface ChosenUpstream {
  readonly name: string;
  /** For people, such as `Ollama at http://127.0.0.1:11434`. */
  readonly title: string;
  readonly baseUrl: string;
  /** Where its key stands, such as `env:OPENAI_API_KEY`. */
  readonly apiKey?: string;
  /** Absent: what its address tells. */
  readonly wire?: string;
  /** Where its list of models is, unless where its API has it. */
  readonly listPath?: string;
}

/** A configuration that says in comments what it means. */
export function renderConfig({ upstreams, defaultModel, port }: Choices): string {
  const entries = upstreams.flatMap((upstream, at) => [
    ...comment(upstream.title, 4),
    `    ${JSON.stringify(upstream.name)}: ${entryOf(upstream)}${at < upstreams.length - 1 ? ',' : ''}`,
  ]);
  const model =
    defaultModel === undefined
      ? []
      : ['  // The model of requests that name none.', `  "defaultModel": ${JSON.stringify(defaultModel)},`, ''];
  return [
    ...comment(`Every setting: ${docPage('configuration')}`, 0),
    ...comment(`After a change: ${ownCommand} doctor`, 0),
    '{',
    '  // Where requests go. The models are those that a server lists. A key is in a variable, and never here.',
    ...(entries.length === 0 ? ['  "upstreams": {},'] : ['  "upstreams": {', ...entries, '  },']),
    '',
    ...model,
    '  // Whether what else runs on this machine, or starts later, is served as well.',
    `  "findUpstreams": ${entries.length === 0},`,
    '',
    '  // Where clients find the gateway.',
    `  "listen": ${spaced({ port })}`,
    '}',
    '',
  ].join('\n');
}

function entryOf({ baseUrl, wire, apiKey, listPath }: ChosenUpstream): string {
  return spaced({
    baseUrl,
    ...(wire === undefined ? {} : { wire }),
    ...(apiKey === undefined ? {} : { apiKey }),
    ...(listPath === undefined ? {} : { discovery: { path: listPath } }),
  });
}

/** On one line, as people write it. */
function spaced(value: object): string {
  const fields = Object.entries(value).map(
    ([name, each]) => `${JSON.stringify(name)}: ${typeof each === 'object' ? spaced(each) : JSON.stringify(each)}`,
  );
  return `{ ${fields.join(', ')} }`;
}

/** A text of others could end its line. */
function comment(text: string, indent: number): readonly string[] {
  return text.split(/[\r\n\u2028\u2029]+/).map((line) => `${' '.repeat(indent)}// ${line}`);
}
