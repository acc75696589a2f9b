import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';

const inPackages = (path: string) => fileURLToPath(new URL(`../../${path}`, import.meta.url));
const older = `data:text/javascript,${encodeURIComponent(
  "Object.defineProperty(process, 'versions', { value: { ...process.versions, node: '18.20.4' } })",
)}`;

it.each(['server/bin/dragoman.js', 'dragoman/bin/dragoman.js'])(
  '%s tells an older Node what it needs',
  async (path) => {
    const file = inPackages(path);
    const failure = await promisify(execFile)(process.execPath, ['--import', older, file]).catch((thrown) => thrown);
    expect(failure).toMatchObject({
      code: 1,
      stderr: 'Dragoman needs Node 20.19 or later; this is 18.20.4. See https://nodejs.org.\n',
    });
    // What is here has to be read before it can say so: Node 12 knows no `await` outside of functions and no `??`.
    expect(readFileSync(file, 'utf8')).not.toMatch(/^(const .*= )?await |\?\?|\?\./m);
  },
);
