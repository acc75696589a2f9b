import * as vscode from 'vscode';
import { isObject } from '../read-fields.ts';

/** What a part of a VS Code message says, whatever class it came in. */
export type ReadPart =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'thinking'; readonly text: string; readonly id?: string; readonly sealed?: string }
  | { readonly kind: 'call'; readonly callId: string; readonly name: string; readonly input: unknown }
  | { readonly kind: 'result'; readonly callId: string; readonly content: readonly ReadPart[] }
  | { readonly kind: 'data'; readonly mimeType: string; readonly data: Uint8Array }
  | { readonly kind: 'unknown'; readonly what: string };

/**
 * Reads a part by its shape: VS Code hands over classes that the stable API does not name, such as thinking, and parts of
 * another extension may come from another copy of a class.
 */
export function readPart(part: unknown): ReadPart {
  if (typeof part === 'string') return { kind: 'text', text: part };
  if (!isObject(part)) return { kind: 'unknown', what: typeof part };
  if (typeof part.callId === 'string') return readToolPart(part, part.callId);
  if (typeof part.mimeType === 'string' && part.data instanceof Uint8Array)
    return { kind: 'data', mimeType: part.mimeType, data: part.data };
  if ('value' in part) return readValuePart(part);
  return { kind: 'unknown', what: part.constructor?.name ?? 'an object' };
}

function readToolPart(part: Readonly<Record<string, unknown>>, callId: string): ReadPart {
  if (Array.isArray(part.content)) return { kind: 'result', callId, content: part.content.map(readPart) };
  if (typeof part.name === 'string') return { kind: 'call', callId, name: part.name, input: part.input };
  return { kind: 'unknown', what: 'a part with a callId, but neither name nor content' };
}

/** Text has a string and nothing else; thinking has an id beside it, which may be undefined; prompt-tsx has a tree. */
function readValuePart(part: Readonly<Record<string, unknown>>): ReadPart {
  const { value } = part;
  if (part instanceof vscode.LanguageModelTextPart) return { kind: 'text', text: part.value };
  if ('id' in part || 'metadata' in part) {
    const text = Array.isArray(value) ? value.join('') : String(value ?? '');
    const sealed = isObject(part.metadata) ? part.metadata[sealedKey] : undefined;
    return {
      kind: 'thinking',
      text,
      ...(typeof part.id === 'string' ? { id: part.id } : {}),
      ...(typeof sealed === 'string' ? { sealed } : {}),
    };
  }
  if (typeof value === 'string') return { kind: 'text', text: value };
  return { kind: 'text', text: textOfTree(value) };
}

/** Under this key a thinking part carries reasoning that only the server can read, on its way through the history. */
export const sealedKey = 'encrypted_content';

/** The text of a prompt-tsx tree: its pieces hold `text` or `children`, and those may ask for a line of their own. */
function textOfTree(tree: unknown): string {
  let text = '';
  const waiting: unknown[] = [tree];
  while (waiting.length > 0) {
    const piece = waiting.pop();
    if (!isObject(piece)) continue;
    if (typeof piece.text === 'string') {
      if (piece.lineBreakBefore === true && text !== '' && !text.endsWith('\n')) text += '\n';
      text += piece.text;
    }
    const children = Array.isArray(piece.children) ? piece.children : [piece.node];
    waiting.push(...[...children].reverse());
  }
  return text;
}
