import { readFile, realpath } from 'node:fs/promises';
import { resolve, sep } from 'node:path';
import { collect, decodeSse, openaiChatClient, openaiChatUpstream, runStage } from '@dragoman/core';

/** The one tool of the demonstration, as a client declares it. */
const readFileTool = {
  type: 'function',
  function: {
    name: 'read_file',
    description: 'Reads a text file of this repository.',
    parameters: {
      type: 'object',
      properties: { path: { type: 'string', description: 'The path of the file, from the root of the repository' } },
      required: ['path'],
    },
  },
};

/** A model that still calls after so many answers will not come to an end. */
const mostSteps = 6;

/** Runs one turn as agents do: ask, run the calls, send their results, until an answer comes without calls. */
export async function runAgentTurn({ gateway, model, question, root, onStep }) {
  const steps = [];
  const messages = [
    { role: 'system', content: 'You are a helpful agent in a code repository.' },
    { role: 'user', content: question },
  ];
  while (steps.length < mostSteps) {
    const request = { model, stream: true, messages: [...messages], tools: [readFileTool] };
    const answer = await sendRequest(gateway, request);
    const outcomes = [];
    for (const call of answer.calls) outcomes.push(await runReadFile(call, root));
    const step = { request, answer, outcomes };
    steps.push(step);
    onStep(step);
    if (answer.calls.length === 0) return steps;
    messages.push({ role: 'assistant', content: answer.text, tool_calls: answer.calls.map(callBody) });
    for (const [at, { callId }] of answer.calls.entries()) {
      messages.push({ role: 'tool', tool_call_id: callId, content: outcomes[at]?.text });
    }
  }
  throw new Error(`The model still calls tools after ${mostSteps} answers.`);
}

function callBody({ callId, name, arguments: text }) {
  return { id: callId, type: 'function', function: { name, arguments: text } };
}

/** Milliseconds that a gateway has to answer a request. */
const answerTimeout = 60_000;

/** Sends a streamed chat completion request as any client would. Throws an Error with one clear line when it fails. */
async function sendRequest(address, body) {
  const response = await send(address, body);
  if (!response.ok) throw new Error(await complaint(response));
  if (response.body === null) throw new Error('The gateway answered without a body.');
  const frames = [];
  const fail = (error) => {
    throw error;
  };
  const decoder = decodeSse({ fail })((frame) => frames.push(frame));
  for await (const chunk of response.body) decoder.push(chunk);
  decoder.end();
  const answer = collect(runStage(openaiChatUpstream.createStreamReader(openaiChatClient.readRequest(body)), frames));
  if (!answer.complete) throw answer.error ?? new Error('The stream ended without a finish reason.');
  return { ...answer, deltas: frames.flatMap(({ data }) => deltaIn(data)) };
}

async function send({ url, key }, body) {
  const headers = {
    'content-type': 'application/json',
    ...(key === undefined ? {} : { authorization: `Bearer ${key}` }),
  };
  const signal = AbortSignal.timeout(answerTimeout);
  try {
    return await fetch(`${url}/v1/chat/completions`, { method: 'POST', headers, body: JSON.stringify(body), signal });
  } catch (thrown) {
    const cause = thrown instanceof Error && thrown.cause instanceof Error ? thrown.cause.message : String(thrown);
    throw new Error(`No gateway answers at ${url}: ${cause}`);
  }
}

async function complaint(response) {
  if (response.status === 401) return 'The gateway asks for a key: give one with --key, or in OAI_API_KEY.';
  if (response.status === 403) return 'The gateway refuses this key.';
  const text = await response.text();
  return `The gateway answered ${response.status}: ${text.slice(0, 300)}`;
}

function deltaIn(data) {
  if (data === '[DONE]') return [];
  const { delta = {} } = JSON.parse(data).choices?.[0] ?? {};
  return Object.keys(delta).length === 0 ? [] : [JSON.stringify(delta)];
}

/** Longer files are cut here, in characters. */
const longestFile = 65_536;

/**
 * Runs a call to `read_file` for real. Only files inside `root` are read, links followed before that is judged.
 * A call that cannot be run gives an error text, as a tool does; it never throws.
 */
export async function runReadFile({ name, arguments: text }, root) {
  try {
    if (name !== readFileTool.function.name) throw new Error(`there is no tool ${name}`);
    const { path } = JSON.parse(text);
    if (typeof path !== 'string') throw new Error('the arguments hold no path');
    const file = await realpath(resolve(root, path));
    if (!file.startsWith((await realpath(root)) + sep)) throw new Error(`${path} is outside of the folder`);
    const read = await readFile(file, 'utf8');
    return { text: read.length > longestFile ? `${read.slice(0, longestFile)}\n[cut here]` : read, ok: true };
  } catch (thrown) {
    return { text: `Error: ${thrown instanceof Error ? thrown.message : String(thrown)}`, ok: false };
  }
}
