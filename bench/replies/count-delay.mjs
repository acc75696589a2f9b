import { prose, tools, writeReply } from './write-reply.mjs';

/**
 * How long characters are held back: the reply arrives one character at a time, and for each character of the prose and
 * of the string argument it is counted how many further characters arrived before it left. Nothing is timed.
 */
export function countDelay(dialect, length) {
  const reply = writeReply(dialect, length);
  const value = placeOfValue(reply);
  let arrived = 0;
  let shown = '';
  let json = '';
  const delays = { text: [], value: [] };
  let read = { place: 0, count: 0, begun: false };
  const parser = dialect.createParser({ tools })((span) => {
    if (span.kind === 'text') {
      const trimmed = prose.trimEnd().length;
      for (let at = shown.length; at < shown.length + span.text.length && at < trimmed; at += 1) {
        delays.text.push(arrived - 1 - at);
      }
      shown += span.text;
    } else if (span.kind === 'arguments') {
      json += span.text;
      const next = readValue(json, read);
      for (let at = read.count; at < next.count; at += 1) delays.value.push(arrived - 1 - value.arrival(at));
      read = next;
    }
  });
  for (const character of reply.text) {
    arrived += 1;
    parser.push(character);
  }
  arrived += 1;
  parser.end();
  const whole = JSON.parse(json).content === reply.content && delays.value.length === reply.content.length;
  if (!whole) throw new Error(`${dialect.id}: the call that was rendered did not come back whole`);
  return { text: spread(delays.text), value: spread(delays.value) };
}

function spread(delays) {
  return {
    max: Math.max(...delays),
    mean: delays.reduce((sum, each) => sum + each, 0) / delays.length,
  };
}

/** When each character of the value has arrived: a dialect writes it as it is, or as the inside of a JSON string. */
function placeOfValue({ text, content }) {
  const plain = text.indexOf(content);
  if (plain >= 0) return { arrival: (at) => plain + at };
  const written = JSON.stringify(content).slice(1, -1);
  const start = text.indexOf(written);
  if (start < 0) throw new Error('the value is in the reply in an unknown form');
  const ends = [];
  for (let at = 0; at < written.length; at += 1) {
    if (written[at] === '\\') at += written[at + 1] === 'u' ? 5 : 1;
    ends.push(start + at);
  }
  return { arrival: (at) => ends[at] };
}

/** Goes on counting the characters of `content`, the last value of the object, in the JSON text so far. */
function readValue(json, { place, count, begun }) {
  let at = place;
  let characters = count;
  if (!begun) {
    const key = json.indexOf('"content":');
    const quote = key < 0 ? -1 : json.indexOf('"', key + 10);
    if (quote < 0) return { place, count, begun };
    at = quote + 1;
  }
  while (at < json.length && json[at] !== '"') {
    const length = json[at] !== '\\' ? 1 : json[at + 1] === 'u' ? 6 : 2;
    if (at + length > json.length) break;
    at += length;
    characters += 1;
  }
  return { place: at, count: characters, begun: true };
}
