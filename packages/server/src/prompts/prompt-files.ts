import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { type Prompts, type PromptTemplate, promptTemplates, type TemplateName } from '@dragoman/core';
import { codeOf } from '../code-of.ts';
import { didYouMean } from '../config/nearest-name.ts';
import { ConfigError, type Problem } from '../config/problem.ts';
import { builtInFolder, fileNameOf } from './built-in-folder.ts';
import type { PromptSettings } from './prompt-settings.ts';
import { readTemplate, TemplateError } from './read-template.ts';

/** How prompts are read from files. */
export interface PromptFilesOptions {
  readonly settings: PromptSettings;
  /** Milliseconds since any fixed point. */
  readonly now: () => number;
  /** Hears of a file that was broken while the gateway ran, and that a file was read again. */
  readonly report: (message: string) => void;
  readonly files?: FileSystem;
}

/** Files are looked at no more often than so many milliseconds. */
const lookEvery = 1000;

type Templates = Readonly<Record<TemplateName, PromptTemplate>>;

/**
 * Prompts out of files: those of the user, and the built-in ones for the rest. Files that change are read again. One that
 * is broken while the gateway runs is told, and the last good one stays.
 *
 * Throws ConfigError with every file that cannot be used at the start.
 */
export class PromptFiles implements Prompts {
  readonly toolDocs: Prompts['toolDocs'];
  readonly context: Prompts['context'];
  readonly #options: PromptFilesOptions;
  /** Of each template the places where it may stand; the first that is there counts. */
  readonly #sources: Readonly<Record<TemplateName, readonly WatchedFile[]>>;
  readonly #rules: WatchedFile | undefined;
  #templates: Templates;
  #looked: number;

  constructor(options: PromptFilesOptions) {
    const { settings, now, files = fileSystem } = options;
    this.#options = options;
    this.toolDocs = settings.toolDocs;
    this.context = settings.context;
    const problems = checkPromptPlaces(settings);
    if (problems.length > 0) throw new ConfigError(problems);
    const inFolder = (file: string) => (settings.folder === undefined ? [] : [join(settings.folder, file)]);
    const watched = (path: string) => new WatchedFile(path, files);
    const places = (name: TemplateName) => {
      const file = fileNameOf(name);
      return [...inFolder(file), join(builtInFolder, file)].map(watched);
    };
    this.#sources = {
      'first-tools': places('first-tools'),
      tools: places('tools'),
      results: places('results'),
      'first-simple': places('first-simple'),
      simple: places('simple'),
    };
    const [rules] = inFolder('rules.md');
    this.#rules = rules === undefined ? undefined : watched(rules);
    this.#templates = this.#read();
    this.#looked = now();
  }

  templates(): Templates {
    this.#look();
    return this.#templates;
  }

  rules(): string {
    this.#look();
    return this.#rules?.text?.trim() ?? '';
  }

  #look(): void {
    const now = this.#options.now();
    if (now - this.#looked < lookEvery) return;
    this.#looked = now;
    const { report } = this.#options;
    try {
      const changed = Object.values(this.#sources)
        .flat()
        .filter((file) => file.look());
      if (this.#rules?.look() === true) report(`${this.#rules.path} was read again`);
      if (changed.length === 0) return;
      this.#templates = this.#read();
      report(`${changed.map(({ path }) => path).join(', ')} was read again`);
    } catch (thrown) {
      report(`${thrown instanceof Error ? thrown.message : String(thrown)}; the last good prompts stay in use`);
    }
  }

  #read(): Templates {
    const problems: Problem[] = [];
    const read = (name: TemplateName): PromptTemplate => {
      const file = this.#sources[name].find(({ text }) => text !== undefined);
      try {
        return readTemplate(name, file?.text ?? '');
      } catch (thrown) {
        if (!(thrown instanceof TemplateError)) throw thrown;
        problems.push({
          path: `${file?.path ?? name}:${thrown.line}`,
          reason: `${name}: ${thrown.reason}`,
        });
        return unusable;
      }
    };
    const templates = {
      'first-tools': read('first-tools'),
      tools: read('tools'),
      results: read('results'),
      'first-simple': read('first-simple'),
      simple: read('simple'),
    };
    if (problems.length > 0) throw new ConfigError(problems);
    return templates;
  }
}

const unusable: PromptTemplate = { mentions: new Set(), headings: [], render: () => '' };

/**
 * What is wrong with the folder of templates: it has to be there, and may hold no template under another name, which would
 * do nothing.
 */
function checkPromptPlaces({ folder }: PromptSettings): readonly Problem[] {
  if (folder === undefined) return [];
  if (!isFolder(folder)) {
    const advice = `"dragoman prompts --write ${folder}" makes one with the built-in prompts`;
    return [{ path: 'prompts.folder', reason: `there is no folder ${folder}; ${advice}` }];
  }
  const problems: Problem[] = [];
  const known = Object.keys(promptTemplates).map(fileNameOf);
  for (const file of readdirSync(folder)) {
    if (!file.endsWith(fileNameOf('')) || known.includes(file)) continue;
    const reason = `${folder} holds ${file}, which is no prompt${didYouMean(file, known)}; there are ${known.join(', ')}`;
    problems.push({ path: 'prompts.folder', reason });
  }
  return problems;
}

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
}

/** What a file is asked; a test may count. */
export interface FileSystem {
  /** A text that is another one whenever the file is; undefined when there is no file. */
  stamp(path: string): string | undefined;
  read(path: string): string;
}

export const fileSystem: FileSystem = {
  stamp(path) {
    const found = statSync(path, { throwIfNoEntry: false, bigint: true });
    return found?.isFile() === true ? `${found.mtimeNs} ${found.size} ${found.ino}` : undefined;
  },
  read(path) {
    try {
      return readFileSync(path, 'utf8');
    } catch (thrown) {
      throw new ConfigError([{ path, reason: `cannot be read: ${codeOf(thrown)}` }]);
    }
  },
};

/** A file whose text is kept until it changes. */
class WatchedFile {
  readonly path: string;
  readonly #files: FileSystem;
  #stamp: string | undefined;
  #text: string | undefined;

  constructor(path: string, files: FileSystem) {
    this.path = path;
    this.#files = files;
    this.look();
  }

  /** Undefined while there is no file. */
  get text(): string | undefined {
    return this.#text;
  }

  /** Looks at the file. True when its text is not the one of before. Throws ConfigError when it cannot be read. */
  look(): boolean {
    const stamp = this.#files.stamp(this.path);
    if (stamp === this.#stamp) return false;
    const text = stamp === undefined ? undefined : this.#files.read(this.path);
    this.#stamp = stamp;
    const changed = text !== this.#text;
    this.#text = text;
    return changed;
  }
}
