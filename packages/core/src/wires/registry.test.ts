import { readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { clientWires, describedWires, upstreamWires } from './registry.ts';

const folders = readdirSync(fileURLToPath(new URL('.', import.meta.url)), { withFileTypes: true })
  .filter((entry) => entry.isDirectory())
  .map((entry) => entry.name);

it('the registry and the folders name the same wires', () => {
  expect([...new Set([...clientWires.keys(), ...upstreamWires.keys(), ...describedWires])].sort()).toEqual(
    folders.sort(),
  );
});

it('each wire is under its own id', () => {
  for (const [id, wire] of [...clientWires, ...upstreamWires]) expect(wire.id).toBe(id);
});
