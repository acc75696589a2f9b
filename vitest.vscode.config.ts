import { mergeConfig } from 'vitest/config';
import all from './vitest.config.ts';

// What needs a real VS Code, and is left out of "npm test".
const vscode = mergeConfig(all, {});
vscode.test.include = ['test/vscode/*.real.ts'];
// Windows of two files at a time would share the processors, and each would be late.
vscode.test.fileParallelism = false;
vscode.test.testTimeout = 180_000;
vscode.test.hookTimeout = 180_000;
vscode.test.reporters = ['default'];
export default vscode;
