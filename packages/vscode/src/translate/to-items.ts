import type { ReadMessage } from './read-messages.ts';
import type { ReadPart } from './read-parts.ts';
import type { ToolNames } from './tools.ts';
import type { AnswerItem, InputImage, InputItem, InputText, OutputText, ResultItem } from './written-request.ts';

export interface ItemOptions {
  readonly names: ToolNames;
  /** Is told in words what was left out or repaired. */
  readonly note: (text: string) => void;
  /** Whether an answer of text alone is sent as a string. Default false: as a list of parts. */
  readonly answersAsText?: boolean;
  /** Whether thoughts are sent that the server did not seal. Default false. */
  readonly allThoughts?: boolean;
}

/** Parts that Copilot puts into messages for itself, and that say nothing to a model. */
const signs = ['cache_control', 'stateful_marker', 'context_management', 'phase_data', 'usage', 'thinking'];

/**
 * The items of one message, in the order of its parts: text and images that are together become one message, calls,
 * results and thoughts items of their own. The assistant says `output_text`, everyone else `input_text`, never mixed.
 */
export function toItems({ role, parts }: ReadMessage, options: ItemOptions): readonly InputItem[] {
  return role === 2 ? itemsOfAnswer(parts, options) : itemsOfUser(parts, options);
}

function itemsOfAnswer(parts: readonly ReadPart[], options: ItemOptions): InputItem[] {
  const { names, note, answersAsText = false, allThoughts = false } = options;
  const items: InputItem[] = [];
  let text = '';
  const flush = () => {
    if (text.trim() !== '') {
      const content = answersAsText ? text : [{ type: 'output_text', text, annotations: [] } as const];
      items.push({ type: 'message', role: 'assistant', content });
    }
    text = '';
  };
  for (const part of parts) {
    const said = part.kind === 'data' ? textOfData(part, note) : part;
    if (said?.kind === 'text') text += said.text;
    else if (said?.kind === 'call') {
      flush();
      const input = said.input ?? {};
      const written = typeof input === 'string' ? input : JSON.stringify(input);
      items.push({ type: 'function_call', call_id: said.callId, name: names.write(said.name), arguments: written });
    } else if (said?.kind === 'thinking') {
      if (said.sealed === undefined && (!allThoughts || said.text === '')) continue;
      flush();
      items.push({
        type: 'reasoning',
        ...(said.id === undefined ? {} : { id: said.id }),
        summary: said.text === '' ? [] : [{ type: 'summary_text', text: said.text }],
        ...(said.sealed === undefined ? {} : { encrypted_content: said.sealed }),
      });
    } else if (said !== undefined) note(`${named(said)} in an answer was left out`);
  }
  flush();
  return items;
}

function itemsOfUser(parts: readonly ReadPart[], { note }: ItemOptions): InputItem[] {
  const items: InputItem[] = [];
  let content: (InputText | InputImage)[] = [];
  const flush = () => {
    if (content.some((part) => part.type === 'input_image' || part.text.trim() !== ''))
      items.push({ type: 'message', role: 'user', content });
    content = [];
  };
  for (const part of parts) {
    if (part.kind === 'result') {
      flush();
      items.push({ type: 'function_call_output', call_id: part.callId, output: outputOf(part.content, note) });
    } else content.push(...saidBy(part, note));
  }
  flush();
  return items;
}

/** What a result says: one text, or a list where there is an image. A tool that returned nothing has said so: `''`. */
function outputOf(parts: readonly ReadPart[], note: (text: string) => void): ResultItem['output'] {
  const said = parts.flatMap((part) => saidBy(part, note));
  if (said.some(({ type }) => type === 'input_image')) return said;
  return said.map((part) => (part.type === 'input_text' ? part.text : '')).join('');
}

function saidBy(part: ReadPart, note: (text: string) => void): readonly (InputText | InputImage)[] {
  if (part.kind === 'data' && part.mimeType.startsWith('image/')) return [imageOf(part, note)];
  const said = part.kind === 'data' ? textOfData(part, note) : part;
  if (said?.kind === 'text') return said.text === '' ? [] : [{ type: 'input_text', text: said.text }];
  if (said !== undefined) note(`${named(said)} in a user's message was left out`);
  return [];
}

type DataPart = Extract<ReadPart, { readonly kind: 'data' }>;

/** An image as a data URL of the type that its bytes show; in words where no server could read it. */
function imageOf({ mimeType, data }: DataPart, note: (text: string) => void): InputText | InputImage {
  const found = sniffImage(data);
  if (found === undefined) {
    note(`an image of type ${mimeType} was left out: it is not a PNG, JPEG, GIF or WebP`);
    return { type: 'input_text', text: `[An image that cannot be shown was here: ${mimeType} is not supported.]` };
  }
  return { type: 'input_image', image_url: `data:${found};base64,${toBase64(data)}`, detail: 'auto' };
}

/** The text of a data part that is text or JSON; nothing, with a note, of one that is neither. */
function textOfData({ mimeType, data }: DataPart, note: (text: string) => void): ReadPart | undefined {
  const type = (mimeType.split(';')[0] ?? '').trim().toLowerCase();
  if (signs.includes(type)) return undefined;
  if (type.startsWith('text/') || type === 'application/json' || type.endsWith('+json'))
    return { kind: 'text', text: new TextDecoder().decode(data) };
  note(`data of type ${mimeType} was left out`);
  return undefined;
}

function named(part: ReadPart): string {
  return part.kind === 'unknown' ? `an unknown part (${part.what})` : `a ${part.kind} part`;
}

/** Messages of the same role that stand side by side as one, for servers that want the roles to take turns. */
export function mergeMessages(items: readonly InputItem[]): readonly InputItem[] {
  const merged: InputItem[] = [];
  for (const item of items) {
    const last = merged.at(-1);
    const joined = last === undefined ? undefined : join(last, item);
    if (joined === undefined) merged.push(item);
    else merged[merged.length - 1] = joined;
  }
  return merged;
}

function join(first: InputItem, second: InputItem): InputItem | undefined {
  if (first.type !== 'message' || second.type !== 'message') return undefined;
  if (first.role === 'user' && second.role === 'user')
    return { ...first, content: [...first.content, ...second.content] };
  if (first.role !== 'assistant' || second.role !== 'assistant') return undefined;
  const [one, other] = [first.content, second.content];
  if (typeof one === 'string' && typeof other === 'string') return { ...first, content: `${one}\n\n${other}` };
  return { ...first, content: [...outputOfAnswer(one), ...outputOfAnswer(other)] };
}

function outputOfAnswer(content: AnswerItem['content']): readonly OutputText[] {
  return typeof content === 'string' ? [{ type: 'output_text', text: content, annotations: [] }] : content;
}

const signatures: readonly { readonly mimeType: string; readonly at: number; readonly bytes: readonly number[] }[] = [
  { mimeType: 'image/png', at: 0, bytes: [0x89, 0x50, 0x4e, 0x47] },
  { mimeType: 'image/jpeg', at: 0, bytes: [0xff, 0xd8, 0xff] },
  { mimeType: 'image/gif', at: 0, bytes: [0x47, 0x49, 0x46, 0x38] },
  { mimeType: 'image/webp', at: 8, bytes: [0x57, 0x45, 0x42, 0x50] },
];

/** What an image really is, by its first bytes: the type that came with it may be `image/*` or wrong. */
function sniffImage(data: Uint8Array): string | undefined {
  return signatures.find(({ at, bytes }) => bytes.every((byte, index) => data[at + index] === byte))?.mimeType;
}

/** In slices: `fromCharCode` takes only so many arguments. */
function toBase64(data: Uint8Array): string {
  let binary = '';
  for (let at = 0; at < data.length; at += 8192) binary += String.fromCharCode(...data.subarray(at, at + 8192));
  return btoa(binary);
}
