import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { beforeAll, describe, expect, it } from 'vitest';
import { bundleObsidian } from '../../../scripts/bundle-obsidian.mjs';

// What the review of community plugins asks for and a text can show; `npm run lint:obsidian` runs its own rules.

const here = fileURLToPath(new URL('..', import.meta.url));
const textOf = (path: string) => readFileSync(join(here, path), 'utf8');

describe('what is published', () => {
  let script: string;
  beforeAll(async () => {
    script = await bundleObsidian();
  });

  it('D-099: the script wants Obsidian and nothing else, so it runs on a phone', () => {
    const wanted = new Set([...script.matchAll(/\brequire\(\s*["'`]([^"'`]+)["'`]\s*\)/g)].map(([, name]) => name));
    expect([...wanted]).toEqual(['obsidian']);
  });

  it('D-099: older iPhones can read its regular expressions', () => {
    expect(script).not.toMatch(/\(\?<[=!]/);
  });

  it('D-099: the manifest is as the community list takes it', () => {
    const manifest = JSON.parse(textOf('manifest.json'));
    const { version } = JSON.parse(textOf('package.json'));
    expect(Object.keys(manifest).sort()).toEqual(
      ['author', 'description', 'id', 'isDesktopOnly', 'minAppVersion', 'name', 'version'].sort(),
    );
    expect(manifest).toMatchObject({ id: 'dragoman', name: 'Dragoman', version, isDesktopOnly: false });
    expect(manifest.minAppVersion).toMatch(/^\d+\.\d+\.\d+$/);
    expect(`${manifest.id} ${manifest.name} ${manifest.description}`).not.toMatch(/obsidian|plugin/i);
    expect(manifest.description).toMatch(/^[A-Z].{20,248}\.$/);
  });

  it('D-099: the page of the plugin says what it connects to, and nothing is loaded from there to be run', () => {
    expect(textOf('README.md')).toMatch(/^## What it connects to\n\n- Model servers: /m);
    expect(script).not.toMatch(/\bimport\(\s*["'`]https?:|\bimportScripts\(|createElement\(\s*["'`]script/);
  });

  it('D-099: styles reach nothing but what the plugin draws, and load nothing', () => {
    const styles = textOf('styles.css').replaceAll(/\/\*[\s\S]*?\*\//g, '');
    expect(styles).not.toMatch(/@import|url\(/);
    const selectors = [...styles.matchAll(/(?:^|[{}])\s*([^@{}]+?)\s*\{/g)].flatMap(([, list]) =>
      (list ?? '').split(/,(?![^(]*\))/),
    );
    const steps = /^\s*(from|to|\d+%)\s*$/;
    expect(selectors.filter((selector) => !selector.includes('.dragoman-') && !steps.test(selector))).toEqual([]);
  });
});

describe('sources', () => {
  const sources = readdirSync(join(here, 'src'), { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile())
    .map((entry) => ({ name: entry.name, text: readFileSync(join(entry.parentPath, entry.name), 'utf8') }));

  it.each([
    ['no HTML is made of text', /innerHTML|outerHTML|insertAdjacentHTML|DOMParser|createContextualFragment/],
    ['no code is made of text', /\beval\(|new Function\(/],
    ['nothing is written to the console', /\bconsole\./],
    ['commands have no keys of their own', /\bhotkeys\b/],
    ['panels stay where their person put them when the plugin is updated', /detachLeavesOfType|\.detach\(/],
    ['events of the workspace end with the plugin', /(?<!registerEvent\(.*)\bworkspace\.on\(/],
    ['no key of a server is kept with the settings', /\bapiKey\b/],
  ])('D-099: %s', (_, forbidden) => {
    const code = sources.map(({ name, text }) => ({ name, text: text.replaceAll(/\/\*[\s\S]*?\*\/|\/\/.*$/gm, '') }));
    expect(code.filter(({ text }) => forbidden.test(text)).map(({ name }) => name)).toEqual([]);
  });
});
