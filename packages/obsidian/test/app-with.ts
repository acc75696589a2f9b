import type { App as RealApp } from 'obsidian';
import { App } from 'obsidian-test-mocks/obsidian';
import { vi } from 'vitest';

/** An Obsidian in memory with these files. What it draws goes nowhere: pages are looked at in a real browser. */
export function appWith(files: Readonly<Record<string, string>>): RealApp {
  // Only a function of this kind can also be constructed.
  const anything: object = new Proxy(function anyElement() {}, {
    apply: () => anything,
    construct: () => anything,
    set: () => true,
    get: (_, name) => (name === Symbol.toPrimitive ? () => '' : anything),
  });
  vi.stubGlobal('createDiv', () => anything);
  vi.stubGlobal('document', anything);
  try {
    return App.createConfigured__({ files }).asOriginalType__();
  } finally {
    vi.unstubAllGlobals();
  }
}
