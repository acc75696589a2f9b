import type { ToolDefinition } from '../../chat/tool.ts';
import type { Dialect, PastCall } from '../dialect.ts';
import { findCalls } from './recognise-dialect.ts';

/** What a dialect writes of one made-up tool, to be shown. */
export interface DialectSample {
  /** The text that teaches the tool. */
  readonly tools: string;
  /** A call of it. */
  readonly call: string;
  /** Its result, as the next turn of the user. */
  readonly result: string;
}

const tool: ToolDefinition = {
  name: 'read',
  description: 'Reads a file.',
  inputSchema: {
    type: 'object',
    properties: { path: { type: 'string', description: 'Its path.' }, limit: { type: 'integer' } },
    required: ['path'],
  },
};

const call: PastCall = {
  callId: 'call_1',
  ordinal: 0,
  name: tool.name,
  arguments: '{"path":"README.md","limit":40}',
  nativeId: `functions.${tool.name}:0`,
};

/** The same tool, call and result for every dialect, so that they can be compared. */
export function dialectSample(dialect: Dialect): DialectSample {
  return {
    tools: dialect.renderTools([tool], { choice: 'auto', parallel: true }),
    call: dialect.renderCalls([call], [tool]),
    result: dialect.renderResults([{ call, status: 'ok', text: '# Dragoman' }]),
  };
}

/** Of these dialects, those whose call, as they write it themselves, `dialect` reads as well. */
export function alsoReadBy(dialect: Dialect, others: Iterable<Dialect>): readonly Dialect[] {
  return [...others].filter(
    (other) =>
      other.id !== dialect.id && findCalls(other.renderCalls([call], [tool]), dialect, { tools: [tool] }).length === 1,
  );
}
