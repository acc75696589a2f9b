import type * as vscode from 'vscode';
import { type ReadPart, readPart } from './read-parts.ts';

/** A message of VS Code's. Roles are numbers: 1 is the user, 2 the assistant, 3 the system, and more may come. */
export interface ReadMessage {
  readonly role: number;
  readonly parts: readonly ReadPart[];
}

export function readMessages(messages: readonly vscode.LanguageModelChatRequestMessage[]): readonly ReadMessage[] {
  return messages.map(readMessage);
}

/** Old callers hand over a string as content. */
export function readMessage({ role, content }: vscode.LanguageModelChatRequestMessage): ReadMessage {
  const parts: unknown = content;
  return { role, parts: (Array.isArray(parts) ? parts : [parts]).map(readPart) };
}
