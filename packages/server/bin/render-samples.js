// Renders a chat template that nobody vouches for. It runs in a process of its own, whose time and memory are bounded, and
// a template can reach nothing but what it is given here.
import { Template } from '@huggingface/jinja';
import './render-as-transformers.js';

process.once('message', ({ source, variables, conversations, longest }) => {
  process.send(answerOf({ source, variables, conversations, longest }), () => process.disconnect());
});

function answerOf({ source, variables, conversations, longest }) {
  try {
    const template = new Template(source);
    return {
      renderings: conversations.map((conversation) => render(template, { ...variables, ...conversation }, longest)),
    };
  } catch (thrown) {
    return { problem: messageOf(thrown) };
  }
}

function render(template, values, longest) {
  try {
    const text = template.render(values);
    return text.length > longest ? { refused: `is longer than ${longest} characters` } : { text };
  } catch (thrown) {
    return { refused: messageOf(thrown) };
  }
}

function messageOf(thrown) {
  return thrown instanceof Error ? thrown.message : String(thrown);
}
