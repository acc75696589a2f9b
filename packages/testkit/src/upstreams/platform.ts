import { type PlatformFault, playFault } from './platform-faults.ts';
import { errorReply, jsonReply, type ScriptedReply } from './scripted-reply.ts';

/** One message that the platform took, with its answer. */
export interface PlatformTurn {
  /** What the next message names as its parent. */
  readonly id: string;
  readonly parent: string | null;
  readonly text: string;
  readonly reply: string;
}

/** What the platform's model is asked. */
export interface PlatformQuestion {
  readonly chat: string;
  /** The model's name, as the request says. */
  readonly model: string;
  readonly text: string;
  /** The turns of this conversation that lead to the message, the first one first. */
  readonly before: readonly PlatformTurn[];
}

export interface PlatformOptions {
  /** What the model answers, or what goes wrong instead. */
  readonly answer: (question: PlatformQuestion) => string | PlatformFault;
  /** Asked when a conversation begins: what goes wrong there. `id` gives it an id that may be taken already. */
  readonly begins?: (count: number) => PlatformFault | { readonly id: string } | undefined;
  /** The platform knows no parents: each message follows the last one, and those that name one are refused. */
  readonly linear?: boolean;
  /** Each frame repeats all text so far. */
  readonly cumulative?: boolean;
  /** Milliseconds before each frame of an answer. Default: none. */
  readonly pace?: number;
  /** Whatever it refuses, it refuses with status 200 and `success: false`. */
  readonly refusesWith200?: boolean;
  /** It takes a field `system`, too, and pays no attention to it. */
  readonly takesSystem?: boolean;
  /** Works on one message of a conversation at a time, and refuses others meanwhile. */
  readonly oneAtATime?: {
    /** How it refuses: with this status and the words `The conversation is busy.` */
    readonly status: number;
    /** Milliseconds that a stream stays open after its last frame. Default: none. */
    readonly lingers?: number;
    /** Milliseconds until it notices that nobody reads a reply any more. Default: none. */
    readonly notices?: number;
  };
  /** People may say the same words twice in a conversation. Default: refused, for then something was sent twice. */
  readonly mayRepeat?: boolean;
}

/** The platform without a network: requests in, replies out. */
export interface Platform {
  /** The turns of each conversation by its id, in the order in which they came. */
  readonly chats: ReadonlyMap<string, readonly PlatformTurn[]>;
  /** `over`: the reply has left, or nobody reads it any more. */
  reply(path: string, body: unknown, over?: Promise<unknown>): ScriptedReply;
  /** Loses all conversations. */
  forget(): void;
  /** Loses what was said in one conversation, which goes on existing. */
  loseTurns(chat: string): void;
}

/**
 * A strict platform that keeps conversations. `POST /chats` begins one, `POST /chats/<id>/messages` takes one text. It
 * refuses conversations and parents that it does not know, a first message with a parent, a later one without, fields
 * that it has no use for, and a text that was said before on the way to the message. A fault that refuses a message
 * leaves the conversation as it was; one that comes after the reply has begun does not: the message was heard.
 */
export function createPlatform(options: PlatformOptions): Platform {
  const chats = new Map<string, PlatformTurn[]>();
  let count = 0;

  const create = (body: unknown): ScriptedReply => {
    if (typeof fieldOf(body, 'model') !== 'string') return errorReply(400, 'A conversation needs a model.');
    count += 1;
    const wanted = options.begins?.(count) ?? { id: `chat-${count}` };
    const begun = (id: string) => {
      if (!chats.has(id)) chats.set(id, []);
      return jsonReply(200, { success: true, data: { id } });
    };
    return 'id' in wanted ? begun(wanted.id) : playFault(wanted, () => begun(`chat-${count}`));
  };

  /** The conversations that it works on. */
  const busy = new Set<string>();

  const takeAlone = (body: unknown, chat: string, over: Promise<unknown>): ScriptedReply => {
    const { oneAtATime: rule } = options;
    if (rule === undefined) return take(body, chat);
    if (busy.has(chat)) return errorReply(rule.status, 'The conversation is busy.');
    const reply = take(body, chat);
    if ((reply.status ?? 200) >= 400) return reply;
    busy.add(chat);
    const free = () => busy.delete(chat);
    over.then((how) => (how === 'aborted' ? setTimeout(free, rule.notices ?? 0) : free()));
    return rule.lingers === undefined ? reply : { ...reply, steps: [...reply.steps, { delay: rule.lingers }] };
  };

  const take = (body: unknown, chat: string): ScriptedReply => {
    const turns = chats.get(chat);
    if (turns === undefined) return errorReply(404, `There is no conversation ${chat}.`);
    const { text, model, parent: named } = Object(body);
    const known = options.linear === true ? ['text', 'model'] : ['text', 'model', 'parent'];
    const taken = options.takesSystem === true ? [...known, 'system'] : known;
    const others = Object.keys(Object(body)).filter((field) => !taken.includes(field));
    if (others.length > 0) return errorReply(400, `Nobody asked for ${others.join(', ')}.`);
    if (typeof text !== 'string' || text === '') return errorReply(400, 'A message needs a text.');
    const parent = options.linear === true ? (turns.at(-1)?.id ?? null) : named;
    if (parent !== null && !turns.some(({ id }) => id === parent)) {
      return errorReply(400, `parent id ${String(parent)} is not exist`);
    }
    if (parent === null && turns.length > 0) return errorReply(400, 'parent id null is not exist');
    const before = pathTo(turns, parent);
    const isRepeated = options.mayRepeat !== true && before.some((turn) => turn.text === text);
    if (isRepeated) return errorReply(400, 'This message was sent before.');
    const answer = options.answer({ chat, model: String(model), text, before });
    const heard = (reply: string) => {
      const id = `${chat}-turn-${turns.length + 1}`;
      turns.push({ id, parent: typeof parent === 'string' ? parent : null, text, reply });
      return streamOf({ chat, id, reply, cumulative: options.cumulative === true, pace: options.pace ?? 0 });
    };
    return typeof answer === 'string' ? heard(answer) : playFault(answer, heard);
  };

  const replyTo = (path: string, body: unknown, over: Promise<unknown>): ScriptedReply => {
    const [, place, chat = '', messages] = path.split('/');
    if (place === 'chats' && chat === '') return create(body);
    if (place === 'chats' && messages === 'messages') return takeAlone(body, decodeURIComponent(chat), over);
    return errorReply(404, `Nothing is at ${path}.`);
  };
  return {
    chats,
    reply: (path, body, over = Promise.resolve()) => {
      const reply = replyTo(path, body, over);
      const isRefusal = reply.status !== undefined && reply.status >= 400;
      return isRefusal && options.refusesWith200 === true ? withStatus200(reply) : reply;
    },
    forget: () => chats.clear(),
    loseTurns: (chat) => chats.set(chat, []),
  };
}

function withStatus200({ steps }: ScriptedReply): ScriptedReply {
  const words = [...steps].map((step) => ('text' in step ? step.text : '')).join('');
  return jsonReply(200, { success: false, ...Object(JSON.parse(words)) });
}

/** The turns from the first to the one that is named. */
export function pathTo(turns: readonly PlatformTurn[], last: unknown): readonly PlatformTurn[] {
  const path: PlatformTurn[] = [];
  for (let turn = turnOf(turns, last); turn !== undefined; turn = turnOf(turns, turn.parent)) path.unshift(turn);
  return path;
}

const turnOf = (turns: readonly PlatformTurn[], wanted: unknown) => turns.find(({ id }) => id === wanted);

/** A reply in frames of seven characters, a long one in some thirty frames. */
function streamOf(said: {
  readonly chat: string;
  readonly id: string;
  readonly reply: string;
  readonly cumulative: boolean;
  readonly pace: number;
}): ScriptedReply {
  const { chat, id, reply, cumulative, pace } = said;
  const frame = (value: unknown) => ({ text: `data: ${JSON.stringify(value)}\n\n` });
  const pieces: string[] = [];
  const length = Math.max(7, Math.ceil(reply.length / 30));
  for (let at = 0; at < reply.length; at += length) pieces.push(reply.slice(cumulative ? 0 : at, at + length));
  const texts = pieces.map((content) => frame({ choices: [{ delta: { content, status: 'typing' } }] }));
  const last = reply.slice(cumulative ? 0 : reply.length);
  const frames = [
    frame({ 'response.created': { chat_id: chat, parent_id: id } }),
    ...texts,
    frame({ choices: [{ delta: { content: last, status: 'finished' } }] }),
  ];
  return { steps: pace === 0 ? frames : frames.flatMap((step) => [{ delay: pace }, step]) };
}

function fieldOf(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null
    ? Object.entries(value).find(([key]) => key === name)?.[1]
    : undefined;
}
