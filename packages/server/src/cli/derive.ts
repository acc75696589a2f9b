import { resolve } from 'node:path';
import { deriveFromSource } from '../derive/derive-from-source.ts';
import { type FoundTemplate, readTemplateSource } from '../derive/read-template-source.ts';
import { RenderError } from '../derive/render-template.ts';
import { isRead, reportDerivation } from '../derive/report-derivation.ts';
import { CommandError, type Terminal } from './terminal.ts';

export interface DeriveFlags {
  /** Prints the dialect alone, as the configuration holds it. */
  readonly json?: boolean;
}

/**
 * `dragoman derive`: renders a chat template with made-up calls and tells how it writes them. 1 where it writes none that a
 * table can say or a built-in dialect reads, and names no marker of one. Throws CommandError for what cannot be read or rendered.
 */
export async function derive(
  { stdout, stderr, cwd }: Pick<Terminal, 'stdout' | 'stderr' | 'cwd'>,
  path: string,
  { json = false }: DeriveFlags,
): Promise<number> {
  const found = readTemplateSource(resolve(cwd, path), path);
  const derivation = await deriveOrExplain(found, path);
  const report = reportDerivation(derivation, { path, hasResponseTemplate: found.hasResponseTemplate });
  const { table } = derivation;
  if (!json) stdout.write(report);
  else if (table === undefined) stderr.write(report);
  else stdout.write(`${JSON.stringify({ table }, null, 2)}\n`);
  return table === undefined && !isRead(derivation) ? 1 : 0;
}

async function deriveOrExplain(found: FoundTemplate, path: string): ReturnType<typeof deriveFromSource> {
  try {
    return await deriveFromSource(found);
  } catch (thrown) {
    if (thrown instanceof RenderError) throw new CommandError(`The chat template in ${path} ${thrown.message}.`);
    throw thrown;
  }
}
