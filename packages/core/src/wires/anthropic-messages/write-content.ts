import type { ImagePart, Part, TextPart } from '../../chat/message.ts';
import type { Warning } from '../../chat/warning.ts';
import { verifiedPicture } from '../picture-type.ts';
import { reportDropped } from '../report-dropped.ts';
import { mergeBlanks } from './merge-blanks.ts';
import { type Fields, ownFields, wireId } from './types.ts';

/** What a user said or a tool brought, as blocks. The API refuses empty texts and those of white space alone. */
export function writeParts(content: readonly Part[], warnings: Warning[]): readonly Fields[] {
  const blocks = content.flatMap((part) => (part.type === 'text' ? writeText(part) : [writeImage(part, warnings)]));
  return mergeBlanks(blocks, warnings);
}

/** Content where the API knows only text: a picture leaves a note in its place. */
export function writeTextBlocks(content: readonly Part[], role: string, warnings: Warning[]): readonly Fields[] {
  const blocks = content.flatMap((part): readonly Fields[] => {
    if (part.type === 'text') return writeText(part);
    warnings.push({ code: 'part-dropped', message: `A picture in a ${role} message can't be said in ${wireId}.` });
    return [{ type: 'text', text: '[picture left out]' }];
  });
  return mergeBlanks(blocks, warnings);
}

/** A text; or, where it only stands for a block of this wire, that block. */
export function writeText(part: TextPart): readonly Fields[] {
  const { block, ...own } = ownFields(part.extra);
  if (typeof block === 'object' && block !== null) return [{ ...block }];
  return part.text === '' ? [] : [{ ...own, type: 'text', text: part.text }];
}

function writeImage(part: ImagePart, warnings: Warning[]): Fields {
  if (part.detail !== undefined && part.detail !== 'auto') {
    reportDropped(warnings, `How closely to look at a picture can't be said in ${wireId}.`);
  }
  const url = verifiedPicture(part.url);
  if (url === undefined) {
    warnings.push({ code: 'part-dropped', message: 'A picture of an unknown kind was left out.' });
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
