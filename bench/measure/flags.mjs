import { parseArgs } from 'node:util';

/**
 * What every benchmark can be asked for: `--quick` (shorter runs, wider spread), `--json` (one line of JSON on standard
 * output instead of tables), `--peers` (installs the peers first), `--write` (into docs/performance.md) and `--only <part>`
 * (candidates whose name holds it).
 * An unknown flag ends the process with one line.
 */
export function readFlags() {
  try {
    const { values } = parseArgs({
      options: {
        quick: { type: 'boolean', default: false },
        json: { type: 'boolean', default: false },
        peers: { type: 'boolean', default: false },
        write: { type: 'boolean', default: false },
        only: { type: 'string', default: '' },
      },
    });
    return values;
  } catch (thrown) {
    console.error(
      `${thrown.message.split('. ')[0]}. The flags are --quick, --json, --peers, --write and --only <part>.`,
    );
    process.exit(1);
  }
}
