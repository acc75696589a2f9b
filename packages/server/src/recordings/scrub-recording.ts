import { dialects, jsonOf, parseJson, type ToolDefinition } from '@dragoman/core';
import { createOwnDialects } from '../config/own-dialects.ts';
import { isRecord } from '../transports/scripted/is-record.ts';
import { compareReplies } from './compare-replies.ts';
import { jsonStrings } from './json-strings.ts';
import { type Recording, RecordingError } from './recording.ts';
import { configOf, replayRecording } from './replay-recording.ts';
import { type Protected, scrubbed } from './scrub-text.ts';

/** Fields whose values are words of an API and ids, and no words of anybody. */
const structural: ReadonlySet<string> = new Set(
  `type role model id call_id tool_call_id tool_use_id item_id response_id message_id name object status format code param
  finish_reason stop_reason done_reason detail service_tier system_fingerprint created_at error_id request_id effort
  signature encrypted_content media_type previous_response_id tool_choice event`.split(/\s+/),
);

/** Words that decide how a value is read: of JSON, of addresses of pictures, and of calls that models write as JSON. */
const reserved = `true false null data image png jpeg gif webp base64 http https
  name arguments parameters function tool tool_name tool_calls input id type`.split(/\s+/);

/** Counts of tokens in a reply: other words have others. */
const counted = /"(\w*_tokens|prompt_eval_count|eval_count)":\d+/g;

/**
 * A recording without the words of people, tools and models: each letter and digit is replaced by one like it, so that pieces,
 * lengths and structure stay. Markers, names of tools and parameters, ids and the words of the APIs stay, too. Throws
 * RecordingError where the recording would no longer show what it shows: replayed, the client has to be told the very same
 * in the replaced words.
 */
export async function scrubRecording(recording: Recording): Promise<Recording> {
  if (!compareReplies(recording, await replayRecording(recording)).isSame) {
    throw new RecordingError(
      'Words can be replaced only in what this program replays as it was recorded; see "dragoman replay".',
    );
  }
  const keeping = protectedIn(recording);
  const inputs = { ...recording, ...scrubbedInputs(recording, keeping), scrubbed: true };
  const { reply, asked, status } = await replayRecording(inputs);
  // Words of ours stand in a reply, too: replaced on both sides, they are the same on both.
  const shapeOf = (text: string) => scrubJson(text, keeping).replace(counted, '"$1":…');
  const wanted = { ...recording, reply: [shapeOf(recording.reply.join(''))] };
  const { isSame, reply: difference } = compareReplies(wanted, { reply: shapeOf(reply), asked, status });
  if (!isSame) {
    throw new RecordingError(
      `With other words the client would be told something else, so here the words matter:\n${difference}`,
    );
  }
  const upstream = inputs.upstream.map((each, at) => ({ ...each, body: parseJson(asked[at] ?? 'null') }));
  return { ...inputs, upstream, reply: cutLike(recording.reply, reply) };
}

function scrubbedInputs(recording: Recording, keeping: Protected) {
  const { about, request, upstream, point } = recording;
  const { error } = about;
  const words = (text: string) => scrubbed(text, keeping);
  return {
    about: error?.message === undefined ? about : { ...about, error: { ...error, message: words(error.message) } },
    request: {
      headers: Object.fromEntries(
        Object.entries(request.headers).map(([name, value]) => [name, isOfClient(name) ? words(value) : value]),
      ),
      body: scrubValue(request.body, keeping),
    },
    upstream: upstream.map((each) => ({
      ...each,
      pieces: scrubPieces(each.pieces, keeping),
      ...(each.error === undefined ? {} : { error: { ...each.error, message: words(each.error.message) } }),
    })),
    ...(point?.identity === undefined ? {} : { point: { ...point, identity: words(point.identity) } }),
  };
}

/** Names by which a client tells its conversations apart. */
function isOfClient(header: string): boolean {
  return header.includes('session') || header.includes('conversation');
}

function scrubValue(value: unknown, keeping: Protected): unknown {
  const text = typeof value === 'object' && value !== null ? jsonOf(value) : JSON.stringify(value);
  return parseJson(scrubJson(text, keeping));
}

/** Frames or pieces of a stream, or of a whole body, in the same pieces. */
function scrubPieces(pieces: readonly string[], keeping: Protected): readonly string[] {
  return cutLike(pieces, scrubJson(pieces.join(''), keeping));
}

/** A text in pieces as long as these; what is left over is one more. */
function cutLike(pieces: readonly string[], text: string): readonly string[] {
  let at = 0;
  const cut = pieces.map(({ length }) => {
    at += length;
    return text.slice(at - length, at);
  });
  return [...cut, text.slice(at)].filter((piece) => piece !== '');
}

/** Text in which JSON stands: whole, or one value in each line, perhaps behind `data:`. What is no JSON is all words. */
function scrubJson(text: string, keeping: Protected): string {
  const characters = [...Array.from({ length: text.length }, (_, at) => text.charAt(at))];
  /** Where the characters of all strings with one path stand: a marker may be spread over many frames. */
  const places = new Map<string, number[]>();
  const note = (path: string, { start, end }: { readonly start: number; readonly end: number }): void => {
    const all = places.get(path) ?? [];
    for (let at = start; at < end; at += 1) all.push(at);
    places.set(path, all);
  };
  for (const { start, end, isJson } of documentsIn(text)) {
    if (!isJson) note('no JSON', { start, end });
    else {
      for (const string of jsonStrings(text, start, end)) {
        if (!structural.has(string.field)) note(string.path, string);
      }
    }
  }
  for (const all of places.values()) {
    const clean = scrubbed(all.map((at) => characters[at]).join(''), keeping);
    all.forEach((at, index) => {
      characters[at] = clean.charAt(index);
    });
  }
  return characters.join('');
}

/** The JSON values in a text. */
function* documentsIn(
  text: string,
): Iterable<{ readonly start: number; readonly end: number; readonly isJson: boolean }> {
  if (isJson(text)) {
    yield { start: 0, end: text.length, isJson: true };
    return;
  }
  let start = 0;
  for (const line of text.split('\n')) {
    const skipped = /^(?:data: ?|event:.*|id:.*|retry:.*|:.*)/.exec(line)?.[0].length ?? 0;
    const rest = line.slice(skipped).trim();
    if (rest !== '' && rest !== '[DONE]')
      yield { start: start + skipped, end: start + line.length, isJson: isJson(rest) };
    start += line.length + 1;
  }
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

/** Of words that would be replaced by themselves. */
const someCall = { callId: 'x', name: 'x', arguments: '{"x":"x"}', ordinal: 0 };

/** What must stay of a recording: the words of dialects, and every name that a tool's declaration brings. */
function protectedIn(recording: Recording): Protected {
  const { request } = recording;
  const words = new Set(reserved);
  const declared = isRecord(request.body) ? [request.body.tools, request.body.functions].flat() : [];
  collectNames(declared, words);
  const tools = declared.flatMap(toolsIn);
  const own = createOwnDialects(configOf(recording).dialects, { cwd: process.cwd(), report: () => {} });
  const known = [...dialects.values(), ...own.values()];
  // Inside of a call stands what opens none, and what is no marker therefore: tags of parameters, and the words of headers.
  for (const dialect of known) addWords(dialect.renderCalls([someCall], []), words);
  return { markers: known.flatMap((dialect) => dialect.markers(tools)), words };
}

/** A declaration as dialects take it, whatever API it is for; some dialects write the names of tools as markers. */
function toolsIn(declaration: unknown): readonly ToolDefinition[] {
  const inner = isRecord(declaration) && isRecord(declaration.function) ? declaration.function : declaration;
  if (!isRecord(inner) || typeof inner.name !== 'string') return [];
  const schema = inner.parameters ?? inner.input_schema;
  return [{ name: inner.name, description: '', inputSchema: isRecord(schema) ? schema : {} }];
}

/** Names of fields, and the values that name something: a tool, a required parameter, one of a few words. */
function collectNames(value: unknown, words: Set<string>): void {
  if (Array.isArray(value)) {
    for (const each of value) collectNames(each, words);
    return;
  }
  if (!isRecord(value)) return;
  for (const [name, each] of Object.entries(value)) {
    addWords(name, words);
    if (name === 'name' || name === 'required' || name === 'enum' || name === 'const' || name === 'type') {
      for (const one of Array.isArray(each) ? each : [each]) if (typeof one === 'string') addWords(one, words);
    }
    collectNames(each, words);
  }
}

function addWords(name: string, words: Set<string>): void {
  for (const word of name.split(/[^A-Za-z0-9_]+/)) if (word !== '') words.add(word);
}
