import { checkedWires, checks } from '@dragoman/conformance';
import { sample } from '@dragoman/testkit';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { run } from '../src/cli/run.ts';
import { createDemoUpstream } from '../src/transports/scripted/demo-upstream.ts';
import { gatewayForTest } from './for-test.ts';
import { foreignServerForTest } from './foreign-server.ts';
import { type DemoGateway, startDemoGateway } from './start-demo-gateway.ts';
import { testTerminal } from './test-terminal.ts';

let gateway: DemoGateway;

beforeAll(async () => {
  gateway = await startDemoGateway();
});

afterAll(() => gateway.close());

/** Each asks a server some twenty times, one request after another. */
const patient = { timeout: 60_000 };

async function conformance(args: readonly string[], env: Readonly<Record<string, string>> = {}) {
  const terminal = testTerminal({ env });
  const code = await run(['conformance', ...args], terminal);
  return { code, out: terminal.out(), err: terminal.err() };
}

describe('our own gateway', patient, () => {
  it.each(sample(checkedWires, 2))('keeps every rule of %s, over the demo model', async (wire) => {
    const { code, out } = await conformance([gateway.url, '--json', '--only', wire]);
    const { rows, wires } = JSON.parse(out);
    expect(wires).toEqual([wire]);
    expect(rows).toHaveLength(checks.length);
    for (const { check, outcomes } of rows) {
      const good = check === 'error-key' ? ['skipped'] : ['ok', 'none'];
      expect(good, `${check} ${JSON.stringify(outcomes[wire])}`).toContain(outcomes[wire].kind);
      expect(outcomes[wire].notes ?? [], check).toEqual([]);
    }
    expect(code).toBe(0);
  });

  it('asks for a key in the terms of each API', async () => {
    const demo = createDemoUpstream({ pace: 0 });
    const locked = await gatewayForTest({
      config: { keys: [{ name: 'me', key: 'k-123456' }] },
      alter: (setup) => ({ ...setup, upstreams: new Map([...setup.upstreams, [demo.name, demo]]) }),
    });
    const unnamed = await conformance([locked.url, '--only', 'openai-chat']);
    expect(unnamed.code).toBe(1);
    expect(unnamed.err).toMatch(/right key.*--key.*--model/);
    const only = ['--only', 'openai-chat,ollama-chat', '--model', 'demo'];
    const refused = await conformance([locked.url, ...only]);
    expect(refused.code).toBe(1);
    expect(refused.err).toBe(`${locked.url} asks for a key; send the right one with --key\n`);
    expect(refused.out).toBe('');
    const wrong = await conformance([locked.url, '--model', 'demo', '--key', 'k-wrong']);
    expect(wrong.err).toBe(`${locked.url} refuses the key; send the right one with --key\n`);
    expect(wrong.out).toBe('');
    const { code, out } = await conformance([`${locked.url}/v1`, ...only, '--key', 'env:MINE'], { MINE: 'k-123456' });
    // That 403 is no 401 is told as a note.
    expect(out).toMatch(/^error-key +ok, 1 note +ok, 1 note$/m);
    expect(code, out).toBe(0);
  });
});

describe('the command', patient, () => {
  it('prints a matrix, what failed with its frame, and the sum', async () => {
    const server = await foreignServerForTest({ callId: () => 'call_1' });
    const { code, out } = await conformance([server.baseUrl]);
    expect(code).toBe(1);
    expect(out).toMatch(/^check +openai-chat +openai-completions +openai-responses +anthropic-messages +ollama-chat$/m);
    expect(out).toMatch(/^calls-parallel +FAILED +- +not served +not served +not served$/m);
    expect(out).toContain('FAILED  openai-chat  calls-parallel\n  expected: Several calls');
    expect(out).toMatch(/found: event 2 the id of a call was used before\n {2}in: data: \{"id":"gen-/);
    expect(out).toContain('  openai-chat  error-key: the server asks for no key');
    expect(out).toMatch(
      /\d+ ok, 3 failed, 1 skipped, not served: openai-completions, openai-responses, anthropic-messages, ollama-chat\n$/,
    );
  });

  it.each([
    [['nowhere'], 'is not an address'],
    [['http://127.0.0.1:9'], 'cannot be reached'],
    [['http://127.0.0.1:9', '--only', 'openai-chatt'], 'did you mean "openai-chat"?'],
    [['http://127.0.0.1:9', '--key', 'env:NOT_SET'], 'NOT_SET is not set'],
    [['http://127.0.0.1:9', '--timeout', 'soon'], 'number of seconds'],
  ])('%j gets one clear line', async (args, message) => {
    const { code, err } = await conformance(args);
    expect(code).not.toBe(0);
    expect(err).toContain(message);
    expect(err.trim().split('\n')).toHaveLength(1);
  });
});

it('its help names every API that is checked', async () => {
  const { out } = await conformance(['--help']);
  for (const wire of checkedWires) expect(out).toContain(wire);
});
