import { parseArgs, styleText } from 'node:util';
import { dialects } from '@dragoman/core';
import { runAgentTurn } from './run-agent-turn.mjs';
import { showStep } from './show-step.mjs';

const question = 'Please read README.md and package.json, and tell me what this project is called.';
const usage = `npm run demo -- [--dialect ID] [--url URL] [--key KEY]

Runs one agent turn: asks the demo model to read two files of this repository, reads them, sends the results back.

  --dialect ID  the dialect that the model writes: ${[...dialects.keys()].join(', ')}
  --url URL     a running gateway, which keeps prompts and raw replies to itself; default: one is started for this turn
  --key KEY     the gateway's key; default: OAI_API_KEY
`;

/** Runs the demonstration and returns the exit code: 0 when the turn worked, 1 when not, 2 for wrong arguments. */
export async function runDemo(args, surroundings) {
  const options = readOptions(args, surroundings);
  if (typeof options === 'number') return options;
  let own;
  try {
    const { url } = options;
    own = url === undefined ? await surroundings.startGateway() : undefined;
    const gateway = {
      url: url ?? own?.url ?? '',
      ...(options.key === undefined ? {} : { key: options.key }),
    };
    return await demonstrate({ gateway, own, model: options.model }, surroundings);
  } catch (thrown) {
    surroundings.writeError(`The turn did not work. ${thrown instanceof Error ? thrown.message : String(thrown)}\n`);
    return 1;
  } finally {
    await own?.close();
  }
}

function readOptions(args, { env, write, writeError }) {
  try {
    const text = { type: 'string' };
    const options = { dialect: text, url: text, key: text, help: { type: 'boolean', short: 'h' } };
    const { values } = parseArgs({ args: [...args], options });
    if (values.help) {
      write(usage);
      return 0;
    }
    if (values.dialect !== undefined && !dialects.has(values.dialect)) {
      throw new Error(`There is no dialect "${values.dialect}"; "dragoman dialects" lists them all.`);
    }
    const model = values.dialect === undefined ? 'demo' : `demo/${values.dialect}`;
    const key = values.key ?? env.OAI_API_KEY;
    return {
      model,
      url: values.url === undefined ? undefined : originOf(values.url),
      key: key === '' ? undefined : key,
    };
  } catch (thrown) {
    writeError(`${thrown instanceof Error ? thrown.message : String(thrown)}\n`);
    return 2;
  }
}

/** A base URL with or without `/v1` at its end. */
function originOf(text) {
  if (!URL.canParse(text)) throw new Error(`"${text}" is no URL; one looks like http://127.0.0.1:11434.`);
  const trimmed = text.endsWith('/') ? text.slice(0, -1) : text;
  return trimmed.endsWith('/v1') ? trimmed.slice(0, -3) : trimmed;
}

async function demonstrate({ gateway, own, model }, surroundings) {
  const { write, root } = surroundings;
  const layout = layoutOf(surroundings);
  write(
    `${own === undefined ? `Gateway at ${gateway.url}` : `Own gateway at ${gateway.url}`}, model ${model}\n${question}\n`,
  );
  let count = 0;
  const onStep = (step) => {
    write(`\n${layout.emphasise(`Request ${count + 1}`)}\n\n${showStep(step, { turn: own?.turns[count] }, layout)}`);
    for (const [index, { ok, text }] of step.outcomes.entries()) {
      const call = step.answer.calls[index];
      write(`\nran ${call?.name} ${call?.arguments}: ${ok ? `${text.length} characters` : text}\n`);
    }
    count += 1;
  };
  const steps = await runAgentTurn({ gateway, model, question, root, onStep });
  const answer = steps.at(-1)?.answer.text ?? '';
  write(`\n${layout.emphasise('The answer')}\n\n${answer}\n`);
  return judge(steps, surroundings);
}

/** A turn has worked when two files were read and an answer followed. */
function judge(steps, { writeError }) {
  const outcomes = steps.flatMap((step) => step.outcomes);
  const readFiles = outcomes.filter(({ ok }) => ok).length;
  if (readFiles >= 2 && readFiles === outcomes.length && steps.at(-1)?.answer.text !== '') return 0;
  writeError(`The turn did not work. ${readFiles} of ${outcomes.length} reads succeeded; two were asked for.\n`);
  return 1;
}

function layoutOf({ width, colour }) {
  const same = (text) => text;
  // Whether there is colour is said already; newer Node would ask this process's own output again.
  const options = { validateStream: false };
  return {
    width,
    emphasise: colour ? (text) => styleText(['bold', 'cyan'], text, options) : same,
    dim: colour ? (text) => styleText('dim', text, options) : same,
  };
}
