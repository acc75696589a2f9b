import * as vscode from 'vscode';
import type { ReplyPiece, Usage } from './stream/reply-pieces.ts';
import { sealedKey } from './translate/read-parts.ts';

/**
 * What VS Code can do that its stable types do not name. The manifest lists no proposal, so each thing is looked for in the
 * running editor, and left out where it is not.
 */
interface ProposedModule {
  readonly LanguageModelThinkingPart?: new (
    text: string,
    id?: string,
    metadata?: Readonly<Record<string, unknown>>,
  ) => vscode.LanguageModelTextPart;
}

/** The part of a piece; nothing for thoughts where the editor cannot show them apart from the answer. */
export function toPart(piece: ReplyPiece): vscode.LanguageModelResponsePart | undefined {
  if (piece.kind === 'text') return new vscode.LanguageModelTextPart(piece.text);
  if (piece.kind === 'call') return new vscode.LanguageModelToolCallPart(piece.callId, piece.name, piece.input);
  const { LanguageModelThinkingPart: ThinkingPart } = vscode as ProposedModule;
  if (ThinkingPart === undefined) return undefined;
  return new ThinkingPart(
    piece.text,
    undefined,
    piece.sealed === undefined ? undefined : { [sealedKey]: piece.sealed },
  );
}

/** The data part that drives the context meter of the chat; its words are those of Chat Completions. */
export function toUsagePart(usage: Usage): vscode.LanguageModelResponsePart {
  const told = {
    prompt_tokens: usage.input,
    completion_tokens: usage.output,
    total_tokens: usage.input + usage.output,
    prompt_tokens_details: { cached_tokens: usage.cached },
  };
  return new vscode.LanguageModelDataPart(new TextEncoder().encode(JSON.stringify(told)), 'usage');
}

/** What the picker reads besides the stable fields of a model. */
export interface ProposedInformation {
  /** Adds selectors beside the picker; what was chosen comes as `modelConfiguration` of a request. */
  readonly configurationSchema?: {
    readonly properties: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
  };
  /** Tokens of prompt and answer together, as people are told them. */
  readonly maxContextWindowTokens?: number;
  readonly isUserSelectable?: boolean;
  readonly isBYOK?: boolean;
}

/** Options of a request that only newer editors send. */
export interface ProposedRequestOptions {
  readonly modelConfiguration?: Readonly<Record<string, unknown>>;
  readonly requestInitiator?: string;
  readonly includeEncryptedThinking?: boolean;
}

/** Options of the question for models that only newer editors send: one group of "Add Models". */
export interface ProposedInformationOptions {
  readonly configuration?: Readonly<Record<string, unknown>>;
}

export const proposedOf = {
  request: (options: vscode.ProvideLanguageModelChatResponseOptions) => options as ProposedRequestOptions,
  information: (options: vscode.PrepareLanguageModelChatModelOptions) => options as ProposedInformationOptions,
};
