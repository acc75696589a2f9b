import type { ToolDefinition } from '../chat/tool.ts';
import type { Dialect, PastCall, Span } from '../dialects/dialect.ts';
import { knownModels } from '../dialects/known-models.ts';
import type { TableDialect } from '../dialects/table/table-dialect.ts';
import { knownForms } from './known-forms.ts';

/** What a dialect can say, as a table tells it. Found out by having it write calls and read them again. */
export interface DialectFacts {
  readonly id: string;
  /** The form of a call and who writes it, on one line. */
  readonly summary: string;
  /** The form of its calls, as its table names it; absent where a program brings a parser of its own. */
  readonly form?: string;
  /** Parts of the names of models that are known to write it. */
  readonly models: readonly string[];
  /** The model gives its calls ids. */
  readonly ids: boolean;
  /** A reply can hold several calls. */
  readonly parallel: boolean;
  /** Text in arguments leaves while the model writes it. */
  readonly streams: boolean;
}

const tools: readonly ToolDefinition[] = [
  { name: 'read', inputSchema: { type: 'object', properties: { path: { type: 'string' } } } },
];

/** A value that is longer than any look-ahead. */
const long = 'a word and another '.repeat(40).trim();

/** The facts of a dialect. */
export function dialectFacts(dialect: Dialect | TableDialect): DialectFacts {
  const written = dialect.renderCalls([callOf(0, long), callOf(1, long)], tools);
  const spans = spansOf(dialect, written);
  const calls = spans.filter((span) => span.kind === 'call');
  const first = spans.findIndex(({ kind }) => kind === 'call-end');
  return {
    id: dialect.id,
    summary: knownForms.get(dialect.id)?.summary ?? dialect.summary,
    ...('table' in dialect ? { form: dialect.table.call.form } : {}),
    models: knownModels.filter((known) => known.dialect === dialect.id).map(({ part }) => part),
    ids: [undefined, 'a1b2c3d4e'].some((nativeId) => writesId(dialect, nativeId)),
    parallel: calls.length > 1,
    streams: spans.slice(0, first).filter(({ kind }) => kind === 'arguments').length > 4,
  };
}

/** Some write an id of their own making, some only one that they were given. */
function writesId(dialect: Dialect, nativeId: string | undefined): boolean {
  const call = callOf(0, 'a word');
  const written = dialect.renderCalls([nativeId === undefined ? call : { ...call, nativeId }], tools);
  return spansOf(dialect, written).some((span) => 'nativeId' in span);
}

function callOf(ordinal: number, path: string): PastCall {
  return { callId: `call_${ordinal}`, name: 'read', arguments: JSON.stringify({ path }), ordinal };
}

/** How many characters come at a time: few enough that a value which streams leaves in many pieces. */
const pieceLength = 16;

/** As if the reply came in small pieces. */
function spansOf(dialect: Dialect, text: string): readonly Span[] {
  const spans: Span[] = [];
  const parser = dialect.createParser({ tools })((span) => spans.push(span));
  for (let at = 0; at < text.length; at += pieceLength) parser.push(text.slice(at, at + pieceLength));
  parser.end();
  return spans;
}
