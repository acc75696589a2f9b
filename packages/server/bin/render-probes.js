// Renders a chat template that nobody vouches for. Runs in a worker thread, which bounds its time and memory; a template
// can reach nothing but what it is given here.
import { parentPort, workerData } from 'node:worker_threads';
import { Template } from '@huggingface/jinja';

const { source, variables, conversations, longest } = workerData;

const template = parse();
if (template !== undefined) parentPort.postMessage({ renderings: conversations.map(render) });

function parse() {
  try {
    return new Template(source);
  } catch (thrown) {
    parentPort.postMessage({ problem: messageOf(thrown) });
    return undefined;
  }
}

function render(conversation) {
  try {
    const text = template.render({ ...variables, ...conversation });
    return text.length > longest ? { refused: `is longer than ${longest} characters` } : { text };
  } catch (thrown) {
    return { refused: messageOf(thrown) };
  }
}

function messageOf(thrown) {
  return thrown instanceof Error ? thrown.message : String(thrown);
}
