import { type CallStatus, type ChatCall, type ChatMessage, type JsonObject, statusOf } from '../chat/message.ts';

/** How a call stands: under way, or how it went. */
export type ActivityStatus = CallStatus | 'running';

/** One line of what the agent did, made anew for each view out of calls and results. */
export interface Activity {
  readonly callId: string;
  readonly status: ActivityStatus;
  readonly text: string;
}

const words: Readonly<Record<string, readonly [doing: string, done: string, want: string]>> = {
  active_file: ['looking at the open file', 'looked at the open file', 'look at the open file'],
  list: ['listing', 'listed', 'list'],
  read: ['reading', 'read', 'read'],
  search: ['searching for', 'searched for', 'search for'],
  write: ['writing', 'wrote', 'write'],
  append: ['adding to', 'added to', 'add to'],
  line_edit: ['editing', 'edited', 'edit'],
  move: ['moving', 'moved', 'move'],
  delete: ['deleting', 'deleted', 'delete'],
};

/** What a call does or did, in words: `reading notes/a.md`, `could not read notes/a.md`. */
export function activityText(
  { name, arguments: values }: Pick<ChatCall, 'name' | 'arguments'>,
  status: ActivityStatus,
): string {
  const [doing, done, want] = words[name] ?? [`calling ${name}`, `called ${name}`, `call ${name}`];
  const about = aboutOf(name, values);
  const after = about === '' ? '' : ` ${about}`;
  switch (status) {
    case 'running':
      return `${doing}${after}`;
    case 'ok':
      return `${done}${after}`;
    case 'error':
      return `could not ${want}${after}`;
    case 'rejected':
      return `was not allowed to ${want}${after}`;
    case 'cancelled':
      return `did not ${want}${after}: cancelled`;
    default:
      return status satisfies never;
  }
}

const longestAbout = 80;

function aboutOf(name: string, values: JsonObject): string {
  const { path, text, to } = values;
  if (name === 'search') return typeof text === 'string' ? `"${short(text)}"` : '';
  if (name === 'list' && (path === undefined || path === '')) return 'all files';
  if (typeof path !== 'string') return '';
  return name === 'move' && typeof to === 'string' ? `${short(path)} to ${short(to)}` : short(path);
}

function short(text: string): string {
  const line = text.split('\n', 1)[0] ?? '';
  return line.length > longestAbout ? `${line.slice(0, longestAbout)}…` : line;
}

/**
 * The lines of one message of the model, one for each of its calls; null where it called nothing. `rest` are the messages after
 * it: a call whose result is not among them is running.
 */
export function activitiesOf(message: ChatMessage, rest: readonly ChatMessage[]): readonly Activity[] | null {
  if (message.role !== 'assistant' || message.tool_calls === undefined) return null;
  const results = new Map<string, ActivityStatus>();
  for (const each of rest) {
    if (each.role !== 'tool') break;
    results.set(each.tool_call_id, statusOf(each));
  }
  return message.tool_calls.map((call) => {
    const status = results.get(call.id) ?? 'running';
    return { callId: call.id, status, text: activityText(call, status) };
  });
}
