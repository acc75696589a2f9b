/** What a client of Ollama's API makes of a stream. */
export interface OllamaTurn {
  /** `content` of `/api/chat` and `response` of `/api/generate`, joined. */
  readonly text: string;
  readonly thinking: string;
  readonly calls: readonly { readonly id: string; readonly name: string; readonly arguments: object }[];
  readonly doneReason: string;
}

/**
 * Reads a stream as the official JavaScript client does: line by line, in any pieces. Throws what that client throws: on
 * a line with `error`, and when the stream ends without `done`; and where it only warns, on a line that is not JSON.
 */
export function collectAsOllama(pieces: Iterable<string>): OllamaTurn {
  const calls: { id: string; name: string; arguments: object }[] = [];
  const turn = { text: '', thinking: '', calls };
  let buffer = '';
  for (const piece of pieces) {
    buffer += piece;
    const lines = buffer.split('\n');
    buffer = lines.pop() ?? '';
    for (const line of lines) {
      const part = JSON.parse(line);
      if ('error' in part) throw new Error(part.error);
      turn.text += part.message?.content ?? part.response ?? '';
      turn.thinking += part.message?.thinking ?? part.thinking ?? '';
      for (const call of part.message?.tool_calls ?? part.tool_calls ?? []) {
        calls.push({ id: call.id ?? '', name: call.function.name, arguments: call.function.arguments });
      }
      if (part.done === true) return { ...turn, doneReason: part.done_reason };
    }
  }
  throw new Error('Did not receive done or success response in stream.');
}
