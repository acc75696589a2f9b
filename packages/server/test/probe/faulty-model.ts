import {
  type Connection,
  defaultModelRule,
  dialects,
  type EngineSetup,
  type ModelRule,
  type PastCall,
  type Receiver,
  type ToolDefinition,
  type Transport,
  type Upstream,
  type UpstreamRequest,
} from '@dragoman/core';
import type { ProbeTask } from '../../src/probe/task.ts';
import { probeTasks } from '../../src/probe/tasks/tasks.ts';
import { rightAnswers, type Said } from './right-answers.ts';

/** What a model is asked, as it sees it. */
export interface AskedModel {
  readonly task: ProbeTask;
  /** All that it reads. */
  readonly prompt: string;
  /** Tools are given to it as such, and not in words. */
  readonly isNative: boolean;
  /** What would be right. */
  readonly right: Said;
  /** Tokens that it may write. */
  readonly mostTokens: number;
}

/** A model with a fault that is known. */
export interface FaultyModel {
  /** The dialect that it writes as text. Default: it cannot. */
  readonly dialect?: string;
  /** It calls where it gets tools as such. Default: its server leaves them out. */
  readonly callsNatively?: boolean;
  /** Says something else than what is right. */
  readonly says?: (asked: AskedModel) => Said;
  /** Spoils what it writes. */
  readonly writes?: (written: string, asked: AskedModel) => string;
}

export interface ModelSetup {
  readonly setup: EngineSetup;
  readonly model: string;
  /** How often it was asked. */
  readonly asked: () => number;
}

/** A setup with this model alone, which speaks the Chat Completions API. */
export function setupOf(model: FaultyModel, rule: Partial<ModelRule> = {}): ModelSetup {
  let count = 0;
  let drawn = 0;
  const transport = modelTransport((request) => {
    count += 1;
    return replyOf(model, request);
  });
  const upstream: Upstream = {
    name: 'local',
    wire: 'openai-chat',
    transport,
    quirks: {},
    deadlines: { connect: 0, firstToken: 0, idle: 0, total: 0 },
    models: new Map([['m', { ...defaultModelRule, ...rule }]]),
  };
  const setup: EngineSetup = {
    upstreams: new Map([['local', upstream]]),
    aliases: new Map(),
    maxTools: 1024,
    maxReplyBytes: 64 * 1024 * 1024,
    toolCalling: true,
    countTokens: async (texts) => Math.ceil(texts.join('').length / 4),
    now: () => 0,
    randomHex: (length) => {
      drawn += 1;
      return String(drawn).padStart(length, '0');
    },
  };
  return { setup, model: 'local/m', asked: () => count };
}

interface ChatBody {
  readonly messages: readonly { readonly role: string; readonly content?: unknown }[];
  readonly tools?: readonly object[];
  readonly stream?: boolean;
  readonly max_tokens?: number;
}

function replyOf(
  model: FaultyModel,
  { messages, tools, stream, max_tokens: mostTokens = 0 }: ChatBody,
): { readonly type: string; readonly text: string } {
  const prompt = JSON.stringify(messages);
  const asked = { ...askedIn(prompt, tools !== undefined), mostTokens };
  const { text = '', calls = [], thought, isCut } = model.says?.(asked) ?? asked.right;
  const native = asked.isNative && model.callsNatively === true;
  const inText =
    asked.isNative || model.dialect === undefined ? '' : callsIn(model.dialect, { calls, task: asked.task });
  const written = model.writes?.(text + inText, asked) ?? text + inText;
  const toolCalls = native
    ? calls.map(({ name, arguments: values }, index) => ({
        index,
        id: `call_${index}`,
        type: 'function',
        function: { name, arguments: model.writes?.(JSON.stringify(values), asked) ?? JSON.stringify(values) },
      }))
    : [];
  const said = {
    role: 'assistant',
    content: native ? text : written,
    ...(thought === undefined ? {} : { reasoning_content: thought }),
    ...(toolCalls.length === 0 ? {} : { tool_calls: toolCalls }),
  };
  const finish_reason = isCut === true ? 'length' : toolCalls.length === 0 ? 'stop' : 'tool_calls';
  const usage = { prompt_tokens: Math.ceil(prompt.length / 4), completion_tokens: 10, total_tokens: 0 };
  const head = { id: 'c1', created: 1, model: 'm', usage };
  if (stream !== true) {
    const choices = [{ index: 0, message: said, finish_reason }];
    return { type: 'application/json', text: JSON.stringify({ ...head, object: 'chat.completion', choices }) };
  }
  const chunk = { ...head, object: 'chat.completion.chunk', choices: [{ index: 0, delta: said, finish_reason }] };
  return { type: 'text/event-stream', text: `data: ${JSON.stringify(chunk)}\n\ndata: [DONE]\n\n` };
}

/** A task is known by the last words of its person. */
function askedIn(prompt: string, isNative: boolean): Omit<AskedModel, 'mostTokens'> {
  const task = probeTasks.find((each) => prompt.includes(questionOf(each)));
  if (task === undefined) throw new Error(`No task asks this: ${prompt.slice(-500)}`);
  const right = rightAnswers[task.id];
  if (right === undefined) throw new Error(`Nothing is right for ${task.id}.`);
  return { task, prompt, isNative, right: typeof right === 'function' ? right(prompt) : right };
}

function questionOf({ messages }: ProbeTask): string {
  const [question] = messages.filter(({ role }) => role === 'user').slice(-1);
  const [part] = question?.content ?? [];
  if (part?.type !== 'text') throw new Error('A task asks nothing.');
  return JSON.stringify(part.text).slice(1, -1);
}

function callsIn(
  dialect: string,
  { calls, task }: { readonly calls: NonNullable<Said['calls']>; readonly task: ProbeTask },
): string {
  if (calls.length === 0) return '';
  const past = calls.map(
    ({ name, arguments: values }, ordinal): PastCall => ({
      callId: `call_${ordinal}`,
      name,
      arguments: JSON.stringify(values),
      ordinal,
    }),
  );
  const tools: readonly ToolDefinition[] = task.tools;
  return dialects.get(dialect)?.renderCalls(past, tools) ?? '';
}

const nothingToStop: Connection = { pause: () => {}, resume: () => {}, abort: () => {} };

function modelTransport(reply: (body: ChatBody) => { readonly type: string; readonly text: string }): Transport {
  return {
    send({ body }: UpstreamRequest, receiver: Receiver): Connection {
      queueMicrotask(() => {
        const { type, text } = reply(JSON.parse(JSON.stringify(body)));
        receiver.start(200, type);
        receiver.data(new TextEncoder().encode(text));
        receiver.end();
      });
      return nothingToStop;
    },
  };
}
