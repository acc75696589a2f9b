import { type QwenMessage, readQwenChat, readQwenMessage } from './qwen-chat-message.ts';
import { type QwenEnd, type QwenReply, streamQwenReply, wholeQwenReply } from './qwen-chat-reply.ts';
import { jsonReply, type ScriptedReply } from './scripted-reply.ts';
import { type ScriptedUpstream, type SeenRequest, startScriptedUpstream } from './scripted-upstream.ts';

/** One message that the platform took, with its answer. */
export interface QwenTurn extends Pick<QwenMessage, 'fid' | 'parent' | 'text' | 'thinks' | 'thinkingBudget'> {
  /** What the next message names as its parent. */
  readonly id: string;
  readonly reply: string;
}

/** What the platform's model is asked. */
export interface QwenQuestion {
  readonly text: string;
  /** The turns of this chat that lead to the message, the first one first. */
  readonly before: readonly QwenTurn[];
}

export interface QwenChatOptions {
  /** What the model answers; `refuse` does not take the message, with this code and these words. */
  readonly answer: (
    question: QwenQuestion,
  ) => string | QwenReply | { readonly refuse: readonly [code: string, details: string] };
  /** How replies end. Default: `finished`. */
  readonly end?: QwenEnd;
  /** The token that is valid just now. Without it everybody is let in. */
  readonly token?: () => string;
  /** Each frame repeats all text of its phase so far, whatever was asked. */
  readonly cumulative?: boolean;
  /**
   * Writes one reply of a chat at a time, and refuses other messages meanwhile. It writes on when nobody reads any more,
   * until it is told to stop. `lingers`: milliseconds that a stream stays open after its last frame.
   */
  readonly oneAtATime?: { readonly lingers: number };
  /** Answers whole, whatever was asked. */
  readonly answersWhole?: boolean;
}

/** A platform of the shape of Qwen's web chat. */
export interface QwenChat {
  readonly baseUrl: string;
  /** The turns of each chat by its id, in the order in which they came. */
  readonly chats: ReadonlyMap<string, readonly QwenTurn[]>;
  readonly requests: ScriptedUpstream['requests'];
  /** Loses all chats. */
  forget(): void;
  /** Refuses the parents of so many messages, whatever they are. */
  refuseParents(count: number): void;
  /** Begins no chat any more. */
  refuseChats(): void;
  close(): Promise<void>;
}

/** Milliseconds until it has stopped writing a reply. */
const stopTime = 100;

/** What the platform lists; the retired one is not switched on, and the painter does not chat. */
const models = ['qwen-max', 'qwen-retired', 'qwen-painter'];

/**
 * Starts a strict platform on a free port. It takes a message in exactly the shape of its web page and refuses everything
 * else: unknown chats and models, invented parents, the word "root", a first message with a parent and a later one
 * without, content that is no string, ids of messages that were used before. It refuses with status 200, and whoever is
 * not signed in gets a page. What has another role than `user` is answered with nothing.
 */
export async function startQwenChat(options: QwenChatOptions): Promise<QwenChat> {
  const chats = new Map<string, QwenTurn[]>();
  const fids = new Set<string>();
  /** The replies that it writes, by their chats. */
  const writing = new Map<string, string>();
  let count = 0;
  let badParents = 0;
  let begins = true;

  const create = (request: SeenRequest): ScriptedReply => {
    const chat = readQwenChat(request);
    if (typeof chat === 'string') return refusal('Bad_Request', chat);
    if (!begins || chat.model !== models[0]) return refusal('Bad_Request', 'no chat can be begun');
    count += 1;
    chats.set(`chat-${count}`, []);
    return jsonReply(200, { success: true, request_id: 'q', data: { id: `chat-${count}` } });
  };

  const take = (request: SeenRequest): ScriptedReply => {
    const message = readQwenMessage(request);
    if (typeof message === 'string') return refusal('Bad_Request', message);
    const { chat, parent, fid, text } = message;
    const turns = chats.get(chat);
    if (turns === undefined) return refusal('Not_Found', `chat id ${chat} is not exist`);
    badParents -= 1;
    const isParent = parent === null ? turns.length === 0 : turns.some(({ id }) => id === parent);
    if (!isParent || badParents >= 0) return refusal('Bad_Request', `parent id ${parent} is not exist`);
    if (writing.has(chat)) return refusal('Bad_Request', 'The chat is in progress!');
    if (fids.has(fid)) return refusal('Bad_Request', 'this message was sent before');
    const before = pathTo(turns, parent);
    const answer = message.role === 'user' ? options.answer({ text, before }) : '';
    if (typeof answer === 'object' && 'refuse' in answer) return refusal(...answer.refuse);
    const reply: QwenReply = typeof answer === 'string' ? { text: answer } : answer;
    fids.add(fid);
    const { thinks, thinkingBudget } = message;
    const id = `${chat}-turn-${turns.length + 1}`;
    turns.push({ id, fid, parent, text, thinks, thinkingBudget, reply: reply.text });
    const prompt = promptOf(before, text);
    const { end = 'finished', cumulative = false } = options;
    const said = { ...reply, chat, id, thinks, end, cumulative, prompt };
    const scripted = message.streams && options.answersWhole !== true ? streamQwenReply(said) : wholeQwenReply(said);
    const { oneAtATime } = options;
    if (oneAtATime === undefined) return scripted;
    writing.set(chat, `${id}-response`);
    request.over.then((how) => how === 'ended' && writing.delete(chat));
    return { ...scripted, steps: [...scripted.steps, { delay: oneAtATime.lingers }] };
  };

  const stop = ({ path, body }: SeenRequest): ScriptedReply => {
    const { chat_id: chat, response_id: reply, ...others } = Object(body);
    const isNamed = new URL(path, 'http://localhost').searchParams.get('chat_id') === chat;
    if (!isNamed || Object.keys(others).length > 0)
      return refusal('Bad_Request', 'a stop names its chat and its reply');
    if (writing.get(chat) !== reply) return refusal('Bad_Request', 'this reply is not being written');
    setTimeout(() => writing.delete(chat), stopTime);
    const stopped = jsonReply(200, { success: true, request_id: 'q', data: {} });
    return { ...stopped, holdHead: true, steps: [{ delay: 2 * stopTime }, ...stopped.steps] };
  };

  const upstream = await startScriptedUpstream({
    fallback: (request) => {
      const token = options.token?.();
      if (token !== undefined && request.headers.authorization !== `Bearer ${token}`) return signInPage;
      const { pathname } = new URL(request.path, 'http://localhost');
      if (pathname === '/api/models' && request.method === 'GET') return jsonReply(200, { data: models.map(listed) });
      if (pathname === '/api/v2/chats/new') return create(request);
      if (pathname === '/api/v2/chat/completions') return take(request);
      if (pathname === '/api/v2/chat/completions/stop') return stop(request);
      return jsonReply(404, { success: false, data: { code: 'Not_Found', details: `Nothing is at ${pathname}.` } });
    },
  });
  return {
    baseUrl: upstream.origin,
    chats,
    requests: upstream.requests,
    forget: () => chats.clear(),
    refuseParents: (messages) => {
      badParents = messages;
    },
    refuseChats: () => {
      begins = false;
    },
    close: () => upstream.close(),
  };
}

const signInPage: ScriptedReply = {
  status: 200,
  headers: { 'content-type': 'text/html; charset=utf-8' },
  steps: [{ text: '<!doctype html><html><body>Sign in to go on.</body></html>' }],
};

function refusal(code: string, details: string): ScriptedReply {
  return jsonReply(200, { success: false, request_id: 'q', data: { code, details } });
}

function listed(id: string): object {
  const meta = {
    max_context_length: 131_072,
    max_generation_length: 8192,
    capabilities: { thinking: true, vision: true },
    abilities: {},
    chat_type: [id === 'qwen-painter' ? 't2i' : 't2t'],
    modality: ['text', 'image'],
  };
  const isActive = id !== 'qwen-retired';
  return { id, name: id, owned_by: 'qwen', info: { is_active: isActive, is_visitor_active: isActive, meta } };
}

/** The turns from the first to the one that is named. */
function pathTo(turns: readonly QwenTurn[], parent: string | null): readonly QwenTurn[] {
  const turn = turns.find(({ id }) => id === parent);
  return turn === undefined ? [] : [...pathTo(turns, turn.parent), turn];
}

/** Four characters are a token, and what was said before is known. */
function promptOf(before: readonly QwenTurn[], text: string) {
  const known = before.reduce((sum, turn) => sum + turn.text.length + turn.reply.length, 0);
  return { tokens: Math.ceil((known + text.length) / 4), cached: Math.floor(known / 4) };
}
