import { mergeConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';
import all from './vitest.config.ts';

/** What takes longest begins first, as all others fit beside it. */
class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const isLongest = ({ moduleId }: TestSpecification) => moduleId.endsWith('/required.real.ts');
    const sorted = await super.sort(files);
    return [...sorted.filter(isLongest), ...sorted.filter((file) => !isLongest(file))];
  }
}

// What needs real servers, and is left out of "npm test". What measures them takes longer than a test may, and is asked for.
const kind = process.env.DRAGOMAN_MEASURE === undefined ? 'real' : 'measure';
const servers = mergeConfig(all, {});
servers.test.include = [`test/servers/*.${kind}.ts`];
servers.test.testTimeout = kind === 'real' ? 300_000 : 1_800_000;
servers.test.hookTimeout = 120_000;
servers.test.reporters = ['default'];
servers.test.sequence = { sequencer: LongestFirst };
export default servers;
