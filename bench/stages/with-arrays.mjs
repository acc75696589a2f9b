// The same chain with stages that return what they found, as lists.
import { dataOf, endsInHalf, eventOf, frameOf } from './steps.mjs';

/** Shared by all stages that found nothing, so that nothing is allocated for it. */
const nothing = [];

/** Collects what the second stage makes of each result of the first. */
export function throughPlain(first, second) {
  const pushAll = (outputs) => {
    const found = [];
    for (const output of outputs) for (const each of second.push(output)) found.push(each);
    return found;
  };
  return {
    push: (input) => pushAll(first.push(input)),
    end: () => [...pushAll(first.end()), ...second.end()],
  };
}

/** The same, but hands lists on instead of copying them where a stage found nothing or one thing. */
export function throughThrifty(first, second) {
  const pushAll = (outputs) => {
    if (outputs.length === 0) return nothing;
    if (outputs.length === 1) return second.push(outputs[0]);
    const found = [];
    for (const output of outputs) for (const each of second.push(output)) found.push(each);
    return found;
  };
  return {
    push: (input) => pushAll(first.push(input)),
    end: () => [...pushAll(first.end()), ...second.end()],
  };
}

function lines() {
  let rest = '';
  return {
    push(text) {
      let at = text.indexOf('\n');
      if (at < 0) {
        rest += text;
        return nothing;
      }
      const found = [];
      let from = 0;
      for (; at >= 0; at = text.indexOf('\n', from)) {
        found.push(rest + text.slice(from, at));
        rest = '';
        from = at + 1;
      }
      rest += text.slice(from);
      return found;
    },
    end: () => (rest === '' ? nothing : [rest]),
  };
}

function frames() {
  let data;
  const letOut = () => {
    const found = data === undefined ? nothing : [data];
    data = undefined;
    return found;
  };
  return {
    push(line) {
      if (line === '') return letOut();
      data = dataOf(line) ?? data;
      return nothing;
    },
    end: letOut,
  };
}

function read() {
  return {
    push(data) {
      const event = eventOf(data);
      return event === undefined ? nothing : [event];
    },
    end: () => nothing,
  };
}

function number() {
  let open = false;
  return {
    push(event) {
      if (open) return [event];
      open = true;
      return [{ type: 'text-start', block: 0 }, event];
    },
    end: () => (open ? [{ type: 'text-end', block: 0 }] : nothing),
  };
}

function hold() {
  return { push: (event) => [event], end: () => nothing };
}

function cutDeltas() {
  let half = '';
  return {
    push(event) {
      if (event.type !== 'text-delta') return [event];
      const text = half + event.text;
      half = endsInHalf(text) ? text.slice(-1) : '';
      if (half === '' && text === event.text) return [event];
      return [{ ...event, text: text.slice(0, text.length - half.length) }];
    },
    end: () => nothing,
  };
}

function write() {
  return {
    push: (event) => (event.type === 'text-delta' ? [frameOf(event)] : nothing),
    end: () => ['data: [DONE]\n\n'],
  };
}

/** Events to frames. */
export const eventChain = (through) => through(number(), through(hold(), through(cutDeltas(), write())));

/** Text as it comes from the network to frames. */
export const wholeChain = (through) => through(lines(), through(frames(), through(read(), eventChain(through))));

/** Runs a chain over all inputs and returns how many characters came out. */
export function runChain(stage, inputs) {
  let characters = 0;
  for (const input of inputs) for (const output of stage.push(input)) characters += output.length;
  for (const output of stage.end()) characters += output.length;
  return characters;
}
