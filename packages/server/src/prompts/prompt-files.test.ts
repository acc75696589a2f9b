import { mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { PromptValues } from '@dragoman/core';
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { type FileSystem, fileSystem, PromptFiles } from './prompt-files.ts';

let folder: string;
/** Every look at a file, and every reading. */
let accesses: string[];
let told: string[];
let clock: number;

const counting: FileSystem = {
  stamp(path) {
    accesses.push(`stamp ${path}`);
    return fileSystem.stamp(path);
  },
  read(path) {
    accesses.push(`read ${path}`);
    return fileSystem.read(path);
  },
};

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'dragoman-prompts-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  accesses = [];
  told = [];
  clock = 0;
});

const open = () =>
  new PromptFiles({
    settings: { folder, toolDocs: 'signature', context: 'merge' },
    now: () => clock,
    report: (message) => told.push(message),
    files: counting,
  });

function write(file: string, text: string): void {
  writeFileSync(join(folder, file), text);
  // Two writings in one tick of the file system's clock would look alike.
  utimesSync(join(folder, file), 1, 1_700_000_000 + accesses.length);
}

const values: PromptValues = {
  system: 'SYS',
  tools: '',
  tool_list: '',
  call_example: '',
  instructions: '',
  rules: '',
  attachments: '',
  context: '',
  history: '',
  results: '',
  task: 'REQ',
};

describe('prompts in files', () => {
  it('A-109: are read once; a second use does not even look', () => {
    write('simple.jinja', 'one: {{ task }}');
    const prompts = open();
    accesses.length = 0;
    const { simple } = prompts.templates();
    expect(simple.render(values)).toBe('one: REQ');
    clock = 999;
    expect(prompts.templates().simple).toBe(simple);
    expect(accesses).toEqual([]);
    clock = 1000;
    expect(prompts.templates().simple).toBe(simple);
    expect(accesses.filter((access) => access.startsWith('read'))).toEqual([]);
  });

  it('A-109: are read again when they change, appear or go', () => {
    const prompts = open();
    const now = () => {
      clock += 1000;
      return prompts.templates().simple.render(values);
    };
    expect(now()).toBe('REQ');
    write('simple.jinja', 'one: {{ task }}');
    expect(now()).toBe('one: REQ');
    write('simple.jinja', 'two: {{ task }}');
    expect(now()).toBe('two: REQ');
    rmSync(join(folder, 'simple.jinja'));
    expect(now()).toBe('REQ');
    expect(told).toHaveLength(3);
    expect(told[0]).toContain('simple.jinja was read again');
  });

  it('A-109: a file that is broken later is told once, and the last good one stays', () => {
    write('simple.jinja', 'one: {{ task }}');
    const prompts = open();
    write('simple.jinja', '{{ taks }}');
    for (clock = 1000; clock < 4000; clock += 1000) {
      expect(prompts.templates().simple.render(values)).toBe('one: REQ');
    }
    expect(told).toHaveLength(1);
    expect(told[0]).toMatch(/simple\.jinja:1: .*"taks".*; the last good prompts stay in use$/);
    write('simple.jinja', 'two: {{ task }}');
    clock += 1000;
    expect(prompts.templates().simple.render(values)).toBe('two: REQ');
  });

  it('A-108: rules are optional, and noticed when they come', () => {
    const prompts = open();
    const first = () => prompts.templates()['first-simple'].render({ ...values, rules: prompts.rules() });
    expect(first()).toBe('SYS\n\n---\n\nREQ');
    write('rules.md', 'Be brief.\n');
    clock += 1000;
    expect(first()).toBe('SYS\n\n---\n\n# Rules\n\nBe brief.\n\n---\n\nREQ');
  });
});
