import { DragomanError } from '@dragoman/core';
import type { TaskEnd } from '../loop/events.ts';
import type { Prompt } from '../prompt/build-prompt.ts';

/** What its person reads of the end of a task; undefined where the answer says all. `server`: its address. */
export function endText(
  end: TaskEnd,
  { server, model }: { readonly server: string; readonly model: string },
): string | undefined {
  switch (end.reason) {
    case 'answer':
      return undefined;
    case 'empty':
      return 'The model gave no answer. Ask again, or in other words; a larger model may do better.';
    case 'length':
      return 'The answer reached the most tokens that the model may write. Ask it to go on.';
    case 'steps':
      return 'The limit of steps for one request is reached. Send a message to go on.';
    case 'repeats':
      return 'The model repeated itself, so the task was ended. Say in other words what you want, or go on.';
    case 'cancelled':
      return 'Cancelled.';
    case 'error':
      return errorText(end.error, { server, model });
    default:
      return end satisfies never;
  }
}

/** What its person reads of tools that leave little for the chat; undefined where they do not. */
export function crowdedByToolsText({ parts, room }: Pick<Prompt, 'parts' | 'room'>): string | undefined {
  const tools = parts.find(({ name }) => name === 'tools')?.used ?? 0;
  if (tools <= room / 2) return undefined;
  return 'The tools alone take more than half of the prompt. Give the model a larger window, or use fewer MCP servers and scripts.';
}

/** What went wrong with a model server, and what its person can do. */
export function errorText(
  error: unknown,
  { server, model }: { readonly server: string; readonly model: string },
): string {
  if (!(error instanceof DragomanError)) {
    return `Something went wrong: ${error instanceof Error ? error.message : String(error)}`;
  }
  const { code, message, upstreamStatus } = error;
  switch (code) {
    case 'upstream-unreachable':
      return `${server} cannot be reached. Is the server running, and is the address right?`;
    case 'model-unknown':
      return missingModel(server, model);
    case 'upstream-refused':
    case 'upstream-unreadable':
      return upstreamStatus === 404 ? missingModel(server, model) : `${server} refused the request: ${message}`;
    case 'upstream-unauthorized':
      return `${server} refused the key. Is it the right one, and is it still valid?`;
    case 'context-too-long':
      return `The chat is too long for the window of ${model}. Start a new chat, summarise this one, or give the server a larger window (Ollama: num_ctx).`;
    case 'connect-timeout':
      return `${server} did not answer in time. Is it busy, or the address wrong?`;
    case 'first-token-timeout':
    case 'idle-timeout':
    case 'total-timeout':
      return `${model} took too long to write. It may still be loading: try again, or take a smaller model.`;
    case 'upstream-cut':
      return `${server} broke off in the middle of its answer. What came is kept; send the request again.`;
    case 'upstream-rate-limited':
    case 'upstream-overloaded':
      return `${server} has too much to do at the moment. Try again a little later.`;
    default:
      return message;
  }
}

/** What helps where a request has failed, apart from another try: another model, a summary of the chat, or a look at the server. */
export function cureOf(error: unknown): 'model' | 'summary' | 'server' | undefined {
  if (!(error instanceof DragomanError)) return undefined;
  switch (error.code) {
    case 'model-unknown':
      return 'model';
    case 'upstream-refused':
    case 'upstream-unreadable':
      return error.upstreamStatus === 404 ? 'model' : undefined;
    case 'context-too-long':
      return 'summary';
    case 'upstream-unreachable':
    case 'upstream-unauthorized':
    case 'connect-timeout':
      return 'server';
    case 'first-token-timeout':
      return 'model';
    default:
      return undefined;
  }
}

function missingModel(server: string, model: string): string {
  return `${server} has no model "${model}". Choose another one, or load it there (Ollama: ollama pull ${model}).`;
}
