import type { Issue } from '../../chat/issue.ts';
import type { ImagePart, Part, TextPart } from '../../chat/message.ts';
import { verifiedPicture } from '../picture-type.ts';
import { tellDropped } from '../tell-dropped.ts';
import { mergeBlanks } from './merge-blanks.ts';
import { type Fields, ownFields, wireId } from './types.ts';

/** What a user said or a tool brought, as blocks. The API refuses empty texts and those of white space alone. */
export function writeParts(content: readonly Part[], issues: Issue[]): readonly Fields[] {
  const blocks = content.flatMap((part) => (part.type === 'text' ? writeText(part) : [writeImage(part, issues)]));
  return mergeBlanks(blocks, issues);
}

/** Content where the API knows only text: a picture leaves a note in its place. */
export function writeTextBlocks(content: readonly Part[], role: string, issues: Issue[]): readonly Fields[] {
  const blocks = content.flatMap((part): readonly Fields[] => {
    if (part.type === 'text') return writeText(part);
    issues.push({ code: 'part-dropped', message: `A picture in a ${role} message can't be said in ${wireId}.` });
    return [{ type: 'text', text: '[picture left out]' }];
  });
  return mergeBlanks(blocks, issues);
}

/** A text; or, where it only stands for a block of this wire, that block. */
export function writeText(part: TextPart): readonly Fields[] {
  const { block, ...own } = ownFields(part.extra);
  if (typeof block === 'object' && block !== null) return [{ ...block }];
  return part.text === '' ? [] : [{ ...own, type: 'text', text: part.text }];
}

function writeImage(part: ImagePart, issues: Issue[]): Fields {
  if (part.detail !== undefined && part.detail !== 'auto') {
    tellDropped(issues, `How closely to look at a picture can't be said in ${wireId}.`);
  }
  const url = verifiedPicture(part.url);
  if (url === undefined) {
    issues.push({ code: 'part-dropped', message: 'A picture of an unknown kind was left out.' });
    return { type: 'text', text: '[picture of an unknown kind left out]' };
  }
  return { ...ownFields(part.extra), type: 'image', source: writeSource(url) };
}

/** `data:<media type>;base64,<bytes>` gives up its bytes; any other address is for the upstream to fetch. */
function writeSource(url: string): Fields {
  const comma = url.indexOf(',');
  const head = comma < 0 ? '' : url.slice(0, comma);
  if (!head.startsWith('data:') || !head.endsWith(';base64')) return { type: 'url', url };
  const mediaType = head.slice('data:'.length).split(';')[0] ?? '';
  return { type: 'base64', media_type: mediaType, data: url.slice(comma + 1) };
}
