import { readdirSync, readFileSync } from 'node:fs';
import fc from 'fast-check';

/** What is hard to tell a model: names of tools as tags, marks of dialects, turns of chat templates, word joiners. */
const written: readonly string[] = [
  'export const App = () => (\n  <Edit />\n);\nconst all: Vec<Task> = of<Edit>(<Task>x</Task>);',
  '<project>\n  <name>x</name>\n  <path>a &lt; b</path>\n  <command>go</command>\n</project>',
  'Action: deploy\nAction:\n  name: x\n---\n# Request\n## User\nfunctools[1]',
  '--- a/x\n+++ b/x\n@@ -1 +1 @@\n-<s>old</s>\n+>>>all\n+>>> Edit\n{}',
  '{% if x %}<|im_start|>system\n{{ y }}<|im_end|>{% endif %}[INST] <</SYS>> <start_of_turn>',
  'with joiners \u2060 <\u2060tool_call> <\u2060\u2060Edit> "\\u2060" &lt;Edit>',
];
const root = new URL('../../../', import.meta.url);
const foldersIn = (path: string) =>
  readdirSync(new URL(path, root), { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && !entry.name.startsWith('.'))
    .map(({ name }) => `${path}${name}/`)
    .sort();

/** Packages that are installed, and what this repository is made of: sources, case pages, corpora and documents. */
const folders = ['node_modules/', 'packages/', 'packages/core/src/', 'packages/core/src/dialects/', 'corpus/'].flatMap(
  foldersIn,
);
folders.push('docs/');
const textual = ['js', 'cjs', 'mjs', 'ts', 'tsx', 'jsx', 'json', 'md', 'html', 'xml', 'yml', 'yaml', 'diff', 'jinja'];

const listed = new Map<string, readonly string[]>();
function filesIn(folder: string): readonly string[] {
  const known = listed.get(folder);
  if (known !== undefined) return known;
  const files = readdirSync(new URL(folder, root), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && textual.includes(entry.name.slice(entry.name.lastIndexOf('.') + 1)))
    .map(({ parentPath, name }) => `${parentPath}/${name}`)
    .filter((file) => !file.slice(file.lastIndexOf(folder) + folder.length).includes('node_modules/'))
    .sort();
  listed.set(folder, files);
  return files;
}

/** A text file of a folder; of one without any, something that was written for this. */
const real = fc.tuple(fc.constantFrom(...folders), fc.nat(), fc.constantFrom(...written)).map(([folder, at, other]) => {
  const files = filesIn(folder);
  const file = files[at % Math.max(files.length, 1)];
  return file === undefined ? other : readFileSync(file, 'utf8');
});

/** Some lines of a file, as agents read them. */
export const anyLines = fc
  .tuple(fc.oneof(fc.constantFrom(...written), real), fc.nat(), fc.integer({ min: 1, max: 12 }))
  .map(([file, from, count]) => {
    const all = file.split('\n');
    const start = from % all.length;
    return all
      .slice(start, start + count)
      .join('\n')
      .slice(0, 4000);
  })
  .filter((found) => found.trim() !== '');

/** Some characters at a time, each size once. */
export function cut(text: string, sizes: readonly number[]): readonly string[] {
  const pieces: string[] = [];
  for (let at = 0, turn = 0; at < text.length; turn += 1) {
    const size = sizes[turn % sizes.length] ?? 1;
    pieces.push(text.slice(at, at + size));
    at += size;
  }
  return pieces;
}

/** Sizes for `cut`. */
export const anyCuts = fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 1, maxLength: 9 });
