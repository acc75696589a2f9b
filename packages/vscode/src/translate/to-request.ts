import type { JsonObject, ReasoningEffort } from '@dragoman/openresponses-client';
import type { LanguageModelChatRequestMessage, LanguageModelChatTool } from 'vscode';
import { isObject } from '../read-fields.ts';
import { pairCalls } from './pair-calls.ts';
import { readMessages } from './read-messages.ts';
import { readModelOptions } from './read-model-options.ts';
import { takeSystemText } from './system-text.ts';
import { mergeMessages, toItems } from './to-items.ts';
import { flattened, ToolNames, writeTools } from './tools.ts';
import type { InputItem, MessageItem, WrittenRequest } from './written-request.ts';

/** How an endpoint wants requests to be written, where OpenResponses leaves room. */
export interface Shape {
  /** Where system text goes. Default `instructions`. */
  readonly systemPrompt?: 'instructions' | 'system' | 'developer' | 'both';
  /** Whether messages of the same role that stand side by side become one. */
  readonly mergeMessages?: boolean;
  /** Whether an answer of text alone is sent as a string. */
  readonly answersAsText?: boolean;
  /** Which thinking of earlier answers is sent: all, or those that the server sealed. Default `sealed`: others are refused. */
  readonly thoughts?: 'all' | 'sealed';
  /** Models that the endpoint tries where the first fails, and options that only it knows. */
  readonly fallbackModels?: readonly string[];
  readonly providerOptions?: JsonObject;
}

/** What VS Code asks. */
export interface Asked {
  readonly messages: readonly LanguageModelChatRequestMessage[];
  readonly tools?: readonly LanguageModelChatTool[] | undefined;
  /** VS Code's tool mode: 1 is auto, 2 required. */
  readonly toolMode?: number | undefined;
  readonly modelOptions?: Readonly<Record<string, unknown>> | undefined;
}

export interface RequestOptions {
  /** The server's name of the model. */
  readonly model: string;
  readonly shape?: Shape;
  /** Whether a disguised system prompt of old versions is looked for. Default true. */
  readonly legacySystem?: boolean;
  /** Said where VS Code sends no system text. */
  readonly systemText?: string;
  /** Only for models that reason. */
  readonly effort?: ReasoningEffort | undefined;
  /** Whether the server is asked for thoughts that only it can read, for the next round. */
  readonly sealed?: boolean;
}

export interface TranslatedRequest {
  readonly request: WrittenRequest;
  /** Names of tools, for the way back. */
  readonly names: ToolNames;
  /** What was repaired or left out, in words, for the log. */
  readonly notes: readonly string[];
}

/** Writes what VS Code asks as a request of OpenResponses. Throws nothing: what cannot be sent is left out with a note. */
export function toRequest(asked: Asked, options: RequestOptions): TranslatedRequest {
  const notes: string[] = [];
  const note = (text: string) => notes.push(text);
  const { shape = {} } = options;
  const system = takeSystemText(readMessages(asked.messages), {
    legacy: options.legacySystem ?? true,
    ...(options.systemText === undefined ? {} : { fallback: options.systemText }),
    note,
  });
  const tools = asked.tools ?? [];
  const names = new ToolNames(tools.map((tool) => flattened(tool).name));
  const itemOptions = {
    names,
    note,
    answersAsText: shape.answersAsText ?? false,
    allThoughts: shape.thoughts === 'all',
  };
  const items = pairCalls(
    system.messages.flatMap((message) => toItems(message, itemOptions)),
    note,
  );
  const placed = placeSystem(withUser(items, system.text, note), shape);
  const { fields, toolChoice: chosen, providerOptions } = readModelOptions(asked.modelOptions, note);
  return {
    request: {
      ...fields,
      model: options.model,
      ...placed.fields,
      input: shape.mergeMessages ? mergeMessages(placed.input) : placed.input,
      ...(tools.length === 0
        ? {}
        : { tools: writeTools(tools, names), tool_choice: toolChoice(chosen, asked.toolMode) }),
      ...(options.effort === undefined ? {} : { reasoning: { effort: options.effort, summary: 'auto' } }),
      ...(options.sealed ? { include: ['reasoning.encrypted_content'] } : {}),
      ...writeProviderOptions(shape, providerOptions),
      stream: true,
      store: false,
    },
    names,
    notes,
  };
}

/** A caller may forbid calls; beyond that VS Code's mode decides. */
function toolChoice(chosen: unknown, mode: number | undefined): 'auto' | 'required' | 'none' {
  if (chosen === 'none') return 'none';
  return mode === 2 || chosen === 'required' ? 'required' : 'auto';
}

interface Conversation {
  readonly items: readonly InputItem[];
  readonly system: string;
}

const isUser = (item: InputItem) => item.type === 'message' && item.role === 'user';
const userSays = (text: string): MessageItem => ({
  type: 'message',
  role: 'user',
  content: [{ type: 'input_text', text }],
});

/** Servers want something of a user to answer to. System text that is alone is what is asked. */
function withUser(items: readonly InputItem[], system: string, note: (text: string) => void): Conversation {
  if (items.some(isUser)) return { items, system };
  if (items.length === 0 && system !== '') {
    note('the request has only system text: it is sent as the user');
    return { items: [userSays(system)], system: '' };
  }
  note('the request has nothing of a user: "Continue." was added');
  const last = items.at(-1);
  const added = userSays('Continue.');
  const atEnd = last === undefined || (last.type === 'message' && last.role === 'assistant');
  return { items: atEnd ? [...items, added] : [added, ...items], system };
}

function placeSystem(
  { items, system }: Conversation,
  { systemPrompt: place = 'instructions' }: Shape,
): { readonly fields: { readonly instructions?: string }; readonly input: readonly InputItem[] } {
  if (system === '') return { fields: {}, input: items };
  const role = place === 'system' ? 'system' : 'developer';
  const item: MessageItem = {
    type: 'message',
    role,
    content: [{ type: 'input_text', text: system }],
  };
  return {
    fields: place === 'instructions' || place === 'both' ? { instructions: system } : {},
    input: place === 'instructions' ? items : [item, ...items],
  };
}

function writeProviderOptions(
  { fallbackModels = [], providerOptions }: Shape,
  asked: JsonObject,
): { readonly providerOptions?: JsonObject } {
  const own: JsonObject = { ...providerOptions, ...asked };
  const gateway = isObject(own.gateway) ? own.gateway : {};
  const all = fallbackModels.length === 0 ? own : { ...own, gateway: { ...gateway, models: fallbackModels } };
  return Object.keys(all).length === 0 ? {} : { providerOptions: all };
}
