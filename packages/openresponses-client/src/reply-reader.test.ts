import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import type { ReplyPart } from './reply-reader.ts';
import { ReplyReader, type Step } from './reply-reader.ts';
import type { ResponsesRequest } from './request-types.ts';

// What real servers answered: llama.cpp, Ollama and vLLM.

interface Recording {
  readonly request: ResponsesRequest;
  readonly contentType: string;
  readonly body: string;
  readonly says: object;
}

const folder = new URL('../../../corpus/servers/', import.meta.url);
const recordings = readdirSync(folder)
  .filter((file) => file.endsWith('.openai-responses.json'))
  .flatMap((file) => {
    const cases: Record<string, Recording> = JSON.parse(readFileSync(new URL(file, folder), 'utf8'));
    return Object.entries(cases).map(([name, recording]) => ({ name: `${file}, ${name}`, recording }));
  });

const answer = { status: 200, headers: new Headers() };

function read({ request, contentType, body }: Recording, size: number) {
  const reader = new ReplyReader({ request, answer, log: () => {} });
  const steps: Step[] = [];
  const bytes = new TextEncoder().encode(body);
  if (contentType.includes('json')) steps.push(...reader.readWhole(body));
  else {
    for (let at = 0; at < bytes.length; at += size) steps.push(...reader.push(bytes.subarray(at, at + size)));
    steps.push(...reader.end());
  }
  return {
    parts: steps.flatMap(({ parts }) => parts),
    events: steps.map(({ event }) => event),
    error: reader.error,
  };
}

const texts = (parts: readonly ReplyPart[], type: 'text' | 'reasoning') =>
  parts.map((part) => (part.type === type ? part.text : '')).join('');

describe.each(recordings)('$name', ({ recording }) => {
  it('says what it is to say, whatever the pieces', () => {
    const { parts, events, error } = read(recording, recording.body.length * 4);
    const end = parts.at(-1);
    const counted = parts.find((part) => part.type === 'usage')?.usage;
    expect({
      complete: error === undefined,
      finishReason: end?.type === 'end' ? end.reason : undefined,
      text: texts(parts, 'text'),
      reasoning: texts(parts, 'reasoning'),
      calls: parts.flatMap((part) => (part.type === 'call' ? [{ name: part.name, arguments: part.arguments }] : [])),
      tokens: [counted?.inputTokens, counted?.outputTokens],
    }).toEqual({ ...recording.says, warnings: undefined });
    const pieces = read(recording, 7);
    expect(pieces.events.filter(Boolean)).toEqual(events.filter(Boolean));
    expect(pieces.parts).toEqual(parts);
  });
});
