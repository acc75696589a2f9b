// A chain in which every stage lets its results into a sink that it was created with: what the project does.
import { dataOf, endsInHalf, eventOf, frameOf } from './steps.mjs';

export function through(first, second) {
  return (sink) => {
    const after = second(sink);
    const before = first((output) => after.push(output));
    return {
      push: (input) => before.push(input),
      end: () => {
        before.end();
        after.end();
      },
    };
  };
}

const lines = () => (sink) => {
  let rest = '';
  return {
    push(text) {
      let from = 0;
      for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', from)) {
        sink(rest + text.slice(from, at));
        rest = '';
        from = at + 1;
      }
      rest += text.slice(from);
    },
    end: () => {
      if (rest !== '') sink(rest);
    },
  };
};

const frames = () => (sink) => {
  let data;
  const letOut = () => {
    if (data !== undefined) sink(data);
    data = undefined;
  };
  return {
    push(line) {
      if (line === '') letOut();
      else data = dataOf(line) ?? data;
    },
    end: letOut,
  };
};

const read = () => (sink) => ({
  push(data) {
    const event = eventOf(data);
    if (event !== undefined) sink(event);
  },
  end() {},
});

const number = () => (sink) => {
  let open = false;
  return {
    push(event) {
      if (!open) sink({ type: 'text-start', block: 0 });
      open = true;
      sink(event);
    },
    end: () => {
      if (open) sink({ type: 'text-end', block: 0 });
    },
  };
};

const hold = () => (sink) => ({ push: (event) => sink(event), end() {} });

const cutDeltas = () => (sink) => {
  let half = '';
  return {
    push(event) {
      if (event.type !== 'text-delta') return sink(event);
      const text = half + event.text;
      half = endsInHalf(text) ? text.slice(-1) : '';
      sink(half === '' && text === event.text ? event : { ...event, text: text.slice(0, text.length - half.length) });
    },
    end() {},
  };
};

const write = () => (sink) => ({
  push(event) {
    if (event.type === 'text-delta') sink(frameOf(event));
  },
  end: () => sink('data: [DONE]\n\n'),
});

/** Events to frames: the stages that do little each, where the way results travel shows most. */
export const eventChain = () => through(number(), through(hold(), through(cutDeltas(), write())));

/** Text as it comes from the network to frames. */
export const wholeChain = () => through(lines(), through(frames(), through(read(), eventChain())));

/** Runs a chain over all inputs and returns how many characters came out. */
export function runChain(factory, inputs) {
  let characters = 0;
  const stage = factory((output) => {
    characters += output.length;
  });
  for (const input of inputs) stage.push(input);
  stage.end();
  return characters;
}
