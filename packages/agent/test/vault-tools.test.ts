import { describe, expect, it } from 'vitest';
import { ToolRegistry } from '../src/index.ts';
import { CountedVault, ScriptedModel, startWorld } from './scripted-model.ts';

const notes = {
  'index.md': 'one\ntwo\nthree\ntwo\n',
  'notes/today.md': 'Buy milk.',
  'notes/deep/er/plan.md': 'The plan',
  'notes/plan.md': 'Another plan',
  'picture.png': 'bytes',
  '.obsidian/app.json': '{}',
};

/** What the model reads of one call. */
async function run(name: string, values: object, more: Parameters<typeof startWorld>[1] = {}) {
  const model = new ScriptedModel({ calls: [[name, values]] });
  const world = startWorld(model, { notes, ...more });
  await world.send('Go.');
  return { text: model.lastResult, ...world };
}
const told = async (...call: Parameters<typeof run>) => (await run(...call)).text;

describe('tools', () => {
  it('D-054: active_file tells the open file, or that there is none', async () => {
    expect(await told('active_file', {}, { active: 'notes/today.md' })).toBe('notes/today.md\n\nBuy milk.');
    expect(await told('active_file', {})).toContain('no file open');
    expect(await told('active_file', {}, { active: '.obsidian/app.json' })).toContain('no file open');
  });

  it('D-054, D-098: list goes through all levels, filters, pages, and tells what is empty', async () => {
    expect((await told('list', {})).split('\n')).toEqual([
      'index.md',
      'notes/',
      'notes/deep/',
      'notes/deep/er/',
      'notes/deep/er/plan.md',
      'notes/plan.md',
      'notes/today.md',
      'picture.png',
    ]);
    expect(await told('list', { path: 'notes/deep', filter: 'PLAN' })).toBe('notes/deep/er/plan.md');
    expect(await told('list', { filter: '.pdf' })).toBe('Nothing in the root matches ".pdf". It has 8 other entries.');
    expect(await told('list', {}, { notes: {} })).toBe('There are no files here yet.');
    expect(await told('list', { path: 'index.md' })).toContain('is a file');
    const many = Object.fromEntries(Array.from({ length: 450 }, (_, at) => [`n${String(at).padStart(3, '0')}.md`, '']));
    const page = (await told('list', { page: 3 }, { notes: many })).split('\n');
    expect([page[0], page.length, page.at(-1)]).toEqual(['n400.md', 51, '[Page 3 of 3, 450 entries.]']);
  });

  it('D-054: read gives a file or a range of it', async () => {
    expect(await told('read', { path: 'index.md' })).toBe('one\ntwo\nthree\ntwo\n');
    expect(await told('read', { path: 'index.md', from: 2, to: 3 })).toBe('[Lines 2 to 3 of 5]\ntwo\nthree');
    expect(await told('read', { path: 'index.md', from: 9 })).toContain('only 5 lines');
    expect(await told('read', { path: 'index.md', from: 3, to: 2 })).toContain('smaller');
  });

  it('D-059: what is not there, is a folder, or may be one of several, is told with what to do', async () => {
    expect(await told('read', { path: 'nowhere.md' })).toContain('There is nothing at "nowhere.md"');
    expect(await told('read', { path: 'notes' })).toContain('is a folder');
    expect(await told('read', { path: 'plan' })).toContain('"notes/deep/er/plan.md", "notes/plan.md"');
    expect(await told('read', { path: 'today' })).toBe('Buy milk.');
  });

  it('D-054: search finds lines in any case', async () => {
    expect(await told('search', { text: 'PLAN' })).toBe(
      'notes/deep/er/plan.md:1: The plan\nnotes/plan.md:1: Another plan',
    );
    expect(await told('search', { text: '{}' })).toBe('No file contains "{}".');
    expect(await told('search', { text: 'plan', path: 'notes/plan.md' })).toBe('notes/plan.md:1: Another plan');
    expect(await told('search', { text: 'plan', path: 'nowhere' })).toContain('There is nothing at "nowhere"');
  });

  it('says how many lines a file has now, as an editor counts them', async () => {
    expect(await told('write', { path: 'x.md', text: 'a\nb\n' })).toBe('Created "x.md"; it has 2 lines now.');
    expect(await told('write', { path: 'x.md', text: 'a' })).toBe('Created "x.md"; it has 1 line now.');
  });

  it('D-054: write, append, line_edit, move and delete change the vault', async () => {
    const after = async (name: string, values: object) => (await run(name, values)).vault.files;
    expect((await after('write', { path: 'new/x.md', text: 'X' })).get('new/x.md')).toBe('X');
    for (const path of ['notes/today.md', 'notes/today']) {
      expect((await after('append', { path, text: 'More.' })).get('notes/today.md')).toBe('Buy milk.\nMore.');
    }
    expect((await after('append', { path: 'fresh.md', text: 'F' })).get('fresh.md')).toBe('F');
    expect((await after('line_edit', { path: 'index.md', old: 'three', new: '3\n4' })).get('index.md')).toBe(
      'one\ntwo\n3\n4\ntwo\n',
    );
    expect((await after('line_edit', { path: 'index.md', old: 'two', new: '', from: 4 })).get('index.md')).toBe(
      'one\ntwo\nthree\n',
    );
    expect((await after('move', { path: 'notes/today.md', to: 'old/day.md' })).get('old/day.md')).toBe('Buy milk.');
    expect((await after('delete', { path: 'picture.png' })).has('picture.png')).toBe(false);
  });

  it('line_edit changes what is found exactly once, and nothing else', async () => {
    expect(await told('line_edit', { path: 'index.md', old: 'two', new: 'x' })).toContain('2 times, at lines 2, 4');
    expect(await told('line_edit', { path: 'index.md', old: 'tw', new: 'x' })).toContain('are not in');
    expect(await told('line_edit', { path: 'index.md', old: 'two', new: 'x', from: 3 })).toContain('not at line 3');
    const { vault } = await run(
      'line_edit',
      { path: 'w.md', old: 'b', new: 'B\nC' },
      { notes: { 'w.md': 'a\r\nb\r\nc' } },
    );
    expect(vault.files.get('w.md')).toBe('a\r\nB\r\nC\r\nc');
  });

  it('what changes nothing asks nobody, and nothing moves onto another file', async () => {
    const same = await run('write', { path: 'notes/today.md', text: 'Buy milk.' });
    expect([same.proposed, same.vault.writes]).toEqual([[], []]);
    const onto = await run('move', { path: 'notes/today.md', to: 'index.md' });
    expect([onto.text.includes('already'), onto.vault.writes]).toEqual([true, []]);
  });
});

describe('paths', () => {
  const outside = [
    '../x',
    'notes/../../x',
    '..\\x',
    '/etc/passwd',
    '\\\\server\\share',
    'C:\\x',
    '~/x',
    '.obsidian/app.json',
    'notes/../.obsidian/app.json',
    'notes/.git/config',
    '\u200b.obsidian/app.json',
    ' .obsidian/app.json',
    '.\ufeffOBSIDIAN/app.json',
    'OBSIDI~1/app.json',
    'notes/GIT~12/config',
    'SECRET~1.ENV',
    'a\u0000b',
    '',
  ];
  const calls = [
    ['read', {}],
    ['write', { text: 'x' }],
    ['append', { text: 'x' }],
    ['line_edit', { old: 'x', new: 'y' }],
    ['move', { to: 'y.md' }],
    ['delete', {}],
  ] as const;

  it.each(outside)('D-058: %j is refused by every tool, and nothing is touched', async (path) => {
    for (const [name, values] of calls) {
      const { vault, proposed, session } = await run(name, { path, ...values });
      expect(session.chat.messages[2], name).toMatchObject({ tool_result: { status: 'error' } });
      expect([vault.reads, vault.writes, proposed], name).toEqual([[], [], []]);
    }
    const { vault } = await run('move', { path: 'index.md', to: path });
    expect(vault.writes).toEqual([]);
  });

  it('D-058: a file that is really called like a short name of Windows is read', async () => {
    const { vault } = await run('read', { path: 'notes/a~1.md' }, { notes: { 'notes/a~1.md': 'x' } });
    expect(vault.reads).toEqual(['notes/a~1.md']);
  });

  it('D-058: a link that leads out, or to what is hidden, is refused', async () => {
    class Linked extends CountedVault {
      async resolve(path: string) {
        if (path.startsWith('out')) return undefined;
        return path.startsWith('settings') ? `.obsidian${path.slice('settings'.length)}` : path;
      }
    }
    for (const path of ['out', 'out/x.md', 'settings/app.json']) {
      for (const [name, values] of calls) {
        const vault = new Linked(notes);
        const { session } = await run(name, { path, ...values }, { vault });
        expect(session.chat.messages[2], name).toMatchObject({ tool_result: { status: 'error' } });
        expect([vault.reads, vault.writes], name).toEqual([[], []]);
      }
    }
  });
});

describe('the registry', () => {
  it('D-055: takes no tool without name, description, schema or function, and no name twice', () => {
    const tool = { name: 'own', description: 'x', inputSchema: {}, reads: true, run: async () => '' };
    const registry = new ToolRegistry([tool]);
    expect(() => registry.add(tool)).toThrow('two tools');
    for (const field of ['name', 'description', 'inputSchema', 'run']) {
      expect(() => new ToolRegistry([{ ...tool, [field]: undefined }]), field).toThrow(TypeError);
    }
  });
});
