// What both kinds of chain do in their stages, so that they differ in nothing but how results travel.

/** A line `data: …` as its data; undefined for any other line. */
export function dataOf(line) {
  return line.startsWith('data: ') ? line.slice(6) : undefined;
}

/** One piece of the reply as an event; undefined when the frame has no text. */
export function eventOf(data) {
  const text = data === '[DONE]' ? undefined : JSON.parse(data).choices[0]?.delta.content;
  return text ? { type: 'text-delta', block: 0, text } : undefined;
}

const head = 'data: {"id":"chatcmpl-1","object":"chat.completion.chunk","choices":[{"index":0,"delta":{"content":';

/** A delta as a frame. */
export function frameOf(event) {
  return `${head}${JSON.stringify(event.text)}},"finish_reason":null}]}\n\n`;
}

/** Whether the last character is the first half of a pair. */
export function endsInHalf(text) {
  const last = text.charCodeAt(text.length - 1);
  return last >= 0xd800 && last <= 0xdbff;
}
