import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { runCommand } from '../../test/run-command.ts';

let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'dragoman-derive-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
});

const template = (name: string) =>
  readFileSync(new URL(`../../test/chat-templates/${name}.jinja`, import.meta.url), 'utf8');

const derive = (...args: readonly string[]) => runCommand(['derive', ...args], { cwd: folder });

describe('dragoman derive', () => {
  it('names the built-in dialect whose marker the source holds, where no past calls are written', async () => {
    const told = async (system: string) => {
      const source = `{% if tools %}${system}{% endif %}{% for m in messages %}<|im_start|>{{ m.role }}\n{{ m.content }}<|im_end|>\n{% endfor %}`;
      writeFileSync(join(folder, 'chat_template.jinja'), source);
      return derive('.');
    };
    const calls = await told('Respond only with <|tool_call|> and a JSON list.');
    expect(calls.code).toBe(0);
    expect(calls.out).toContain('Use granite: the source of the template holds its marker "<|tool_call|>".');
    expect(calls.out).toContain('The rule of the model: {"toolCalling":{"dialect":"granite"}}');
    const results = await told("Results: {{ '<|tool_response_start|>' }}");
    expect(results.code).toBe(0);
    expect(results.out).toContain('Use lfm2: the source of the template holds its marker "<|tool_response_start|>".');
    // Two write the section of calls; the one whose results are there as well comes first.
    const section = 'Call with <｜tool▁calls▁begin｜>.';
    expect((await told(section)).out).toContain('Use deepseek-v3.1: ');
    expect((await told(`${section} Results: <｜tool▁outputs▁begin｜>`)).out).toContain('Use deepseek-v3: ');
    const neither = await told('Respond only with JSON.');
    expect(neither.code).toBe(1);
    expect(neither.out).not.toContain('Use ');
  });

  it('prints the markers, how sure they are, and the rule to write', async () => {
    writeFileSync(join(folder, 'chat_template.jinja'), template('tagged'));
    const { code, out } = await derive('.');
    expect(code).toBe(0);
    expect(out).toContain('No built-in dialect writes calls like this.\n');
    expect(out).toContain('  call.opener            "<tool="\n');
    expect(out).toContain('Confidence: high\n');
    expect(out).toContain('8 of 8 renderings are read back as they were put in');
  });

  it('says first where it is a built-in dialect', async () => {
    const hermes = template('json-each').replaceAll('<do>', '<tool_call>').replaceAll('</do>', '</tool_call>');
    writeFileSync(join(folder, 'tokenizer_config.json'), JSON.stringify({ chat_template: hermes }));
    const { code, out } = await derive('tokenizer_config.json');
    expect(code).toBe(0);
    expect(out).toMatch(/^This is hermes: /);
    expect(out).toContain('The rule of the model: {"toolCalling":{"dialect":"hermes"}}\n');
  });

  it('prints with --json what the configuration holds', async () => {
    const chat_template = [
      { name: 'default', template: 'x' },
      { name: 'tool_use', template: template('headed') },
    ];
    mkdirSync(join(folder, 'model'));
    writeFileSync(
      join(folder, 'model/tokenizer_config.json'),
      JSON.stringify({ chat_template, eos_token: { content: '</s>' } }),
    );
    const { code, out } = await derive('model', '--json');
    expect(code).toBe(0);
    expect(JSON.parse(out).table).toMatchObject({ call: { opener: '<|call|>' }, turnEnds: ['<|im_end|>', '</s>'] });
  });

  it('says when a tokenizer tells itself how replies are read', async () => {
    const config = { chat_template: template('headed'), response_template: {} };
    writeFileSync(join(folder, 'tokenizer_config.json'), JSON.stringify(config));
    expect((await derive('tokenizer_config.json')).out).toContain('{ "responseTemplate": "tokenizer_config.json" }');
  });

  it('tells in one line what it cannot read', async () => {
    const told = async (name: string, text: string) => {
      writeFileSync(join(folder, name), text);
      return (await derive(name)).err;
    };
    expect((await derive('none')).err).toBe('There is no file or folder none.\n');
    expect((await derive('.')).err).toContain('. holds neither chat_template.jinja nor tokenizer_config.json.');
    expect(await told('a.json', '{')).toBe('a.json is not a JSON object.\n');
    expect(await told('b.json', '{}')).toContain('b.json has no "chat_template"');
    expect(await told('c.jinja', '{% if %}')).toContain('The chat template in c.jinja is not Jinja that can be read');
    expect(await told('d.jinja', "{{ raise_exception('never') }}")).toContain('refuses every conversation: never');
  });

  it('tells in one line what is no file with text', async () => {
    const place = (name: string) => join(folder, name);
    symlinkSync(place('loop.jinja'), place('loop.jinja'));
    expect((await derive('loop.jinja')).err).toBe('loop.jinja cannot be read: its links lead in a circle.\n');
    writeFileSync(place('binary.jinja'), new Uint8Array([0x7b, 0xff, 0xfe]));
    expect((await derive('binary.jinja')).err).toBe('binary.jinja is not text: it holds bytes that are not UTF-8.\n');
    writeFileSync(place('zero.jinja'), 'a\0b');
    expect((await derive('zero.jinja')).err).toBe('zero.jinja is not text: it holds zero bytes.\n');
    writeFileSync(place('empty.jinja'), '\n');
    expect((await derive('empty.jinja')).err).toBe('empty.jinja is empty.\n');
    writeFileSync(place('large.jinja'), '');
    truncateSync(place('large.jinja'), 2 ** 30);
    expect((await derive('large.jinja')).err).toContain('large.jinja is larger than 64 megabytes');
    expect((await derive('empty.jinja/x')).err).toContain('a part of its path is not a folder.\n');
    expect((await derive(`${'n'.repeat(300)}.jinja`)).err).toContain('.jinja cannot be read: its name is too long.\n');
    expect((await derive('/dev/null')).err).toBe('/dev/null is not a file.\n');
  });

  it('names the built-in dialect that reads what no table can say, with its rule, and no inside words', async () => {
    writeFileSync(join(folder, 'python.jinja'), template('named-method'));
    const { code, out } = await derive('python.jinja');
    expect(code).toBe(0);
    expect(out).toMatch(/^Use llama3-json: that built-in dialect reads all that the template writes/);
    expect(out).toContain('The rule of the model: {"toolCalling":{"dialect":"llama3-json"}}\n');
    expect(out).toContain('no form writes calls as the template does: "<|python_tag|>zqtool_a.call(');
    expect(out).not.toMatch(/Confidence|parameter|writes no calls/);
  });

  it('ends with 1 where the template writes no calls', async () => {
    writeFileSync(join(folder, 'plain.jinja'), '{% for m in messages %}<|{{ m.role }}|>{{ m.content }}{% endfor %}');
    const { code, out } = await derive('plain.jinja');
    expect(code).toBe(1);
    expect(out).toContain('The template writes no calls that a table can describe.');
    expect(out).toContain(
      'no rendering holds a call: the template does not write past calls; it does not show the tools',
    );
    writeFileSync(
      join(folder, 'plain.jinja'),
      '{{ tools }}{% for m in messages %}<|{{ m.role }}|>{{ m.content }}{% endfor %}',
    );
    expect((await derive('plain.jinja')).out).toContain('past calls; it shows the tools to the model');
    writeFileSync(join(folder, 'LFM2.5.jinja'), '{% for m in messages %}<|{{ m.role }}|>{{ m.content }}{% endfor %}');
    const named = await derive('LFM2.5.jinja');
    expect(named.code).toBe(1);
    expect(named.out).toContain('By its name it may be lfm2, which nothing in the template shows.');
  });
});
