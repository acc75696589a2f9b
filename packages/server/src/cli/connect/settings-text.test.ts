import { parse } from '@decimalturn/toml-patch';
import { parse as parseJsonc } from 'jsonc-parser';
import { describe, expect, it } from 'vitest';
import { parse as parseYaml } from 'yaml';
import type { SettingsFile } from './connection.ts';
import { withChanges, withSettings } from './settings-text.ts';

const place = { home: ['settings'] } as const;

describe('JSON with comments', () => {
  const file: SettingsFile = {
    format: 'jsonc',
    place,
    settings: { provider: { dragoman: { url: 'http://x', models: { demo: {} } } }, model: 'demo' },
  };

  it('keeps comments, order, indent and what else is there', () => {
    const before = [
      '{',
      '    // mine',
      '    "model": "other", /* why */',
      '    "provider": {',
      '        "local": { "apiKey": "secret" },',
      '    },',
      '}',
      '',
    ].join('\n');
    const after = withSettings(file, before);
    for (const kept of ['// mine', '/* why */', '"local"']) expect(after).toContain(kept);
    expect(after).toContain('\n        "dragoman": {\n            "url": "http://x"');
    expect(parseJsonc(after)).toEqual({
      model: 'demo',
      provider: { local: { apiKey: 'secret' }, ...Object(file.settings).provider },
    });
  });

  it('leaves what is beside a change on its line', () => {
    const beside = ['"keys": { "leader": "ctrl+x", "b": [1, 2] }', '"local": { "options": { "a": 1 } }'];
    const after = withSettings(file, `{ ${beside[0]}, "provider": { ${beside[1]} }, "mcp": { "a": ["x", "y"] } }`);
    for (const kept of [...beside, '"mcp": { "a": ["x", "y"] }']) expect(after).toContain(kept);
    expect(parseJsonc(after)).toMatchObject({ provider: { local: {}, dragoman: { url: 'http://x' } }, model: 'demo' });
  });

  it('leaves the other entries of a list on their lines, where one is added, changed or taken out', () => {
    const list: SettingsFile = { format: 'jsonc', place, settings: [{ name: 'D', vendor: 'v', url: 'new' }] };
    const others = ['{ "name": "D", "vendor": "w" }', '{ "name": "O", "n": [1, 2] }'];
    const added = withSettings(list, `[${others.join(', ')}]`);
    const changed = withSettings(list, `[${others[0]}, { "name": "D", "vendor": "v" }, ${others[1]}]`);
    const removed = withChanges('jsonc', `[${others[0]}, { "name": "X" }, ${others[1]}]`, [
      { path: [1], value: undefined },
    ]);
    for (const text of [added, changed, removed]) for (const other of others) expect(text).toContain(other);
    expect(parseJsonc(removed)).toEqual(others.map((other) => JSON.parse(other)));
  });

  it('changes nothing the second time', () => {
    const once = withSettings(file, '{ "a": 1 }');
    expect(withSettings(file, once)).toBe(once);
    expect(withSettings(file, withSettings(file))).toBe(withSettings(file));
  });

  it('keeps line ends and tabs', () => {
    const after = withSettings(file, '{\r\n\t"a": 1\r\n}\r\n');
    expect(after.replaceAll('\r\n', '')).not.toContain('\n');
    expect(after).toContain('\r\n\t"provider": {');
  });

  it('finds the entry of a list by its name, and appends a new one', () => {
    const list: SettingsFile = { format: 'jsonc', place, settings: [{ name: 'D', vendor: 'v', url: 'new' }] };
    const others = '{ "name": "D", "vendor": "w" }, { "name": "O", "vendor": "v" }';
    expect(
      parseJsonc(withSettings(list, `[${others}, { "vendor": "v", "name": "D", "url": "old", "mine": 1 }]`)),
    ).toEqual([
      { name: 'D', vendor: 'w' },
      { name: 'O', vendor: 'v' },
      { name: 'D', vendor: 'v', url: 'new', mine: 1 },
    ]);
    expect(parseJsonc(withSettings(list, `[${others}]`))).toHaveLength(3);
    expect(parseJsonc(withSettings(list, '[]'))).toEqual(list.settings);
  });

  it.each([
    ['{ "a": 1', 'line 1: not valid JSON: close brace expected.'],
    ['{\n"a": 1,\n"a": 2 }', 'line 3: a is there twice'],
    ['[]', 'its content is not an object'],
    ['{ "provider": "x" }', 'provider is not an object'],
    ['{ "provider": { "dragoman": [] } }', 'provider.dragoman is not an object'],
  ])('refuses %j', (text, message) => {
    expect(() => withSettings(file, text)).toThrow(message);
  });
});

describe('TOML', () => {
  const file: SettingsFile = {
    format: 'toml',
    place,
    settings: { model: 'demo', model_providers: { dragoman: { name: 'Dragoman', base_url: 'http://x' } } },
  };

  it('keeps comments, tables, dates and what else is there', () => {
    const before = [
      '# mine',
      'model = "other" # why',
      'since = 2026-11-21',
      '',
      '[model_providers.local]',
      "base_url = 'http://y'",
      '',
      '[projects."/home/me/a.b"]',
      'trust_level = "trusted"',
      '',
    ].join('\n');
    const after = withSettings(file, before);
    for (const kept of ['# mine', 'model = "demo" # why', 'since = 2026-11-21', "base_url = 'http://y'"]) {
      expect(after).toContain(kept);
    }
    expect(parse(after)).toMatchObject({
      model: 'demo',
      model_providers: { local: { base_url: 'http://y' }, dragoman: { base_url: 'http://x' } },
      projects: { '/home/me/a.b': { trust_level: 'trusted' } },
    });
    expect(withSettings(file, after)).toBe(after);
  });

  it('writes tables with headings into a new file', () => {
    const table = '[model_providers.dragoman]\nname = "Dragoman"\nbase_url = "http://x"';
    expect(withSettings(file).trimEnd()).toBe(`model = "demo"\n\n${table}`);
    expect(withSettings(file, '[analytics]\nenabled = false\n')).toContain(`enabled = false\n\n${table}\n`);
  });

  it('keeps the heading of a table that was there', () => {
    expect(withSettings(file, '[model_providers]\n\n[model_providers.local]\nname = "y"\n')).toContain(
      '[model_providers]\n',
    );
  });

  it.each([
    ['model = \n', 'Error parsing TOML'],
    ['model_providers = 1\n', 'model_providers is not an object'],
  ])('refuses %j', (text, message) => {
    expect(() => withSettings(file, text)).toThrow(message);
  });
});

describe('YAML', () => {
  const file: SettingsFile = {
    format: 'yaml',
    place,
    settings: { name: 'new', models: [{ name: 'Dragoman demo', apiBase: 'http://x' }] },
    keeps: ['name'],
  };

  it('keeps comments, anchors, long lines and what else is there', () => {
    const long = 'word '.repeat(40).trim();
    const before = `# mine\nname: old\nrules:\n  - ${long} # why\nmodels:\n  - &a\n    name: Other\n    apiKey: secret\n`;
    const after = withSettings(file, before);
    for (const kept of ['# mine', 'name: old', `${long} # why`, '&a', 'apiKey: secret']) expect(after).toContain(kept);
    expect(parseYaml(after).models).toEqual([{ name: 'Other', apiKey: 'secret' }, Object(file.settings).models[0]]);
    expect(withSettings(file, after)).toBe(after);
  });

  it('leaves lists and objects as they are written', () => {
    const before = 'rules: [a, "b"]\nown: {x: 1, y: [1,2]}\nmodels:\n  - name: Other\n    roles: [chat, edit]\n';
    const after = withSettings(file, before);
    expect(after.startsWith(before.trimEnd())).toBe(true);
    expect(parseYaml(after).models).toHaveLength(2);
  });

  it.each([
    ['models: [1\n', 'at line'],
    ['models: x\n', 'models is not a list'],
  ])('refuses %j', (text, message) => {
    expect(() => withSettings(file, text)).toThrow(message);
  });
});
