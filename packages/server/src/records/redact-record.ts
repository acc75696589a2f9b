import { hash } from 'node:crypto';
import type { Redact } from '../log/redact.ts';
import type { RecordBody, RecordGap, RecordHead, SentRecord } from './exchange-record.ts';
import { type LaidOutBody, layOut, type SaidBody, wholeText } from './pack-body.ts';
import type { Passage } from './passages.ts';
import { readRecord } from './read-record.ts';
import { cutPieces, joinPieces } from './said-pieces.ts';
import { redactShapes } from './secret-shapes.ts';

/** Fields that hold one of a few words of ours: a secret like an ordinary word must not break them. */
const ownWords: ReadonlySet<string> = new Set(['level', 'at', 'method', 'type', 'finish', 'code', 'why', 'source']);

/** What a withheld text leaves: the same for all, so that it tells nothing. */
const withheld = '[left out: a secret was spread over several pieces]';

/** A record on its way to be kept. */
export interface SaidRecord {
  readonly head: Omit<RecordHead, 'said'>;
  /** What was said; absent at the level `metadata`. */
  readonly said?: SaidBody | undefined;
}

/** A record as it may be kept. */
export interface CleanRecord {
  readonly head: Omit<RecordHead, 'said'>;
  /** The head as JSON. */
  readonly headText: string;
  readonly body: LaidOutBody | undefined;
}

/**
 * Takes secrets out of records before they are written: those of the configuration, and whatever looks like one. Where a
 * secret may be spread over pieces, which no search would find, the pieces are withheld. `isClean`: the passage has been looked
 * through before.
 */
export function createRecordRedact(
  configured: Redact,
): (record: SaidRecord, isClean: (passage: Passage) => boolean) => CleanRecord {
  const redact: Redact = (text) => redactShapes(configured(text));
  const clean = createClean(redact);
  return ({ head, said }, isClean) => {
    const body = said && layOut(said);
    // Mostly there is none, and one look at each text is enough: whatever a string holds is in its JSON, too.
    const headText = JSON.stringify(head);
    const texts = [headText, ...(body === undefined ? [] : [body.frame, ...body.texts])];
    for (const passage of body?.passages ?? []) if (!isClean(passage)) texts.push(passage.bytes.toString('utf8'));
    if (texts.every((text) => redact(text) === text)) return { head, headText, body };
    const { said: cleanSaid, ...cleanHead } = clean({ ...head, ...(said === undefined ? {} : { said: asText(said) }) });
    return { head: cleanHead, headText: JSON.stringify(cleanHead), body: cleanSaid && layOut(asSaid(cleanSaid)) };
  };
}

function asText(said: SaidBody): RecordBody {
  const sent = said.sent.map((each) => ({ ...each, body: wholeText(each.body), pieces: cutPieces(each.pieces) }));
  const request = { ...said.request, body: wholeText(said.request.body) };
  const system = wholeText(said.system);
  return { ...said, request, system, sent, reply: cutPieces(said.reply), config: JSON.parse(said.config) };
}

/** A body whose texts are whole, as one that can be laid out. */
export function asSaid(body: RecordBody): SaidBody {
  const sent = body.sent.map((each) => ({ ...each, pieces: joinPieces(each.pieces) }));
  return { ...body, sent, reply: joinPieces(body.reply), config: JSON.stringify(body.config) };
}

function createClean(redact: Redact): (record: RecordHead) => RecordHead {
  return (record) => {
    const { said } = record;
    const joined = said === undefined ? record : { ...record, said: withoutSpread(said, redact) };
    const { id, step, parent } = record.conversation;
    const clean = readRecord(
      JSON.stringify(joined, (key, each: unknown) =>
        typeof each === 'string' && !ownWords.has(key) ? redact(each) : each,
      ),
    );
    // Our own ids are random digits, in which a short secret may stand by chance.
    return {
      ...clean,
      id: record.id,
      conversation: { ...clean.conversation, id, step, ...(parent === undefined ? {} : { parent }) },
    };
  };
}

/** Digest of a name under which a record is found, 132 bits of it; the name itself is not kept. */
export function nameDigest(name: string): string {
  return hash('sha256', name, 'base64url').slice(0, 22);
}

/** Pieces in which no secret is spread over several. */
function withoutSpread(said: RecordBody, redact: Redact): RecordBody {
  const gaps: RecordGap[] = [...said.gaps];
  // The text of a block is in many frames, and with it a secret that is in none of them.
  const isSpread = said.events.some(({ text }) => typeof text === 'string' && redact(text) !== text);
  const pieces = (part: string, texts: readonly string[]): readonly string[] => {
    const whole = texts.join('');
    if (whole === '') return texts;
    if (isSpread) {
      gaps.push({ part, why: 'secret', missing: whole.length });
      return [withheld];
    }
    const clean = redact(whole);
    return texts.map(redact).join('') === clean ? texts : [clean];
  };
  const sent = said.sent.map((each, at): SentRecord => ({ ...each, pieces: pieces(`sent.${at}.pieces`, each.pieces) }));
  return { ...said, sent, reply: pieces('reply', said.reply), gaps };
}
