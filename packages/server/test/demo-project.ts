import { afterAll, afterEach, beforeAll, beforeEach } from 'vitest';
import { makeScratchFolder, type ScratchFolder } from './scratch-folder.ts';
import { type DemoGateway, startDemoGateway } from './start-demo-gateway.ts';

/** What tests of a client's SDK have. */
interface DemoProject {
  gateway: DemoGateway;
  folder: ScratchFolder;
}

/** A gateway before the demo models for all tests of a file, and a folder with these files, path to text, for each of them. */
export function demoProject(files: Readonly<Record<string, string>>): Readonly<DemoProject> {
  const project: Partial<DemoProject> = {};
  beforeAll(async () => {
    project.gateway = await startDemoGateway();
  });
  afterAll(() => project.gateway?.close());
  beforeEach(async () => {
    project.folder = await makeScratchFolder(files);
  });
  afterEach(() => project.folder?.remove());
  const had = <Part>(part: Part | undefined): Part => {
    if (part === undefined) throw new Error('No test of this file runs.');
    return part;
  };
  return {
    get gateway() {
      return had(project.gateway);
    },
    get folder() {
      return had(project.folder);
    },
  };
}
