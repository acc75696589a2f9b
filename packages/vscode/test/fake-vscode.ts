/**
 * What stands in for VS Code's module in tests: the classes as the editor has them, among them those that its stable types
 * do not name, and `fake`, the state that tests set and look at. The suites in `test/vscode` run the same code in a real
 * editor.
 */

import type { CancellationToken, LanguageModelChatProvider } from 'vscode';

export class LanguageModelTextPart {
  value: string;
  constructor(value: string) {
    this.value = value;
  }
}

export class LanguageModelThinkingPart {
  value: string | string[];
  id: string | undefined;
  metadata: Readonly<Record<string, unknown>> | undefined;
  constructor(value: string | string[], id?: string, metadata?: Readonly<Record<string, unknown>>) {
    this.value = value;
    this.id = id;
    this.metadata = metadata;
  }
}

export class LanguageModelToolCallPart {
  callId: string;
  name: string;
  input: object;
  constructor(callId: string, name: string, input: object) {
    this.callId = callId;
    this.name = name;
    this.input = input;
  }
}

export class LanguageModelToolResultPart {
  callId: string;
  content: unknown[];
  constructor(callId: string, content: unknown[]) {
    this.callId = callId;
    this.content = content;
  }
}

export class LanguageModelPromptTsxPart {
  value: unknown;
  constructor(value: unknown) {
    this.value = value;
  }
}

export class LanguageModelDataPart {
  data: Uint8Array;
  mimeType: string;
  constructor(data: Uint8Array, mimeType: string) {
    this.data = data;
    this.mimeType = mimeType;
  }
  static json(value: unknown, mimeType = 'text/x-json') {
    return new LanguageModelDataPart(new TextEncoder().encode(JSON.stringify(value)), mimeType);
  }
}

type Listener = (event: unknown) => void;

export class EventEmitter {
  readonly #listeners = new Set<Listener>();
  readonly event = (listener: Listener) => {
    this.#listeners.add(listener);
    return { dispose: () => this.#listeners.delete(listener) };
  };
  fire(event?: unknown) {
    for (const listener of this.#listeners) listener(event);
  }
  dispose() {
    this.#listeners.clear();
  }
}

export class CancellationTokenSource {
  readonly #cancelled = new EventEmitter();
  readonly token = { isCancellationRequested: false, onCancellationRequested: this.#cancelled.event };
  cancel() {
    this.token.isCancellationRequested = true;
    this.#cancelled.fire();
  }
  dispose() {}
}

export class ThemeColor {
  id: string;
  constructor(id: string) {
    this.id = id;
  }
}

export class MarkdownString {
  value: string;
  isTrusted = false;
  supportThemeIcons = false;
  constructor(value = '') {
    this.value = value;
  }
  appendMarkdown(value: string) {
    this.value += value;
    return this;
  }
}

/** A path below `memory:/`, whose files are `fake.files`. */
export class Uri {
  path: string;
  constructor(path: string) {
    this.path = path;
  }
  static joinPath(base: Uri, ...parts: readonly string[]) {
    return new Uri([base.path, ...parts].join('/'));
  }
  static from({ path }: { readonly path: string }) {
    return new Uri(path);
  }
  static parse(text: string) {
    return new Uri(text);
  }
  toString() {
    return this.path;
  }
}

export const LanguageModelChatMessageRole = { User: 1, Assistant: 2 };
export const LanguageModelChatToolMode = { Auto: 1, Required: 2 };
export const StatusBarAlignment = { Left: 1, Right: 2 };
export const ConfigurationTarget = { Global: 1, Workspace: 2 };
export const ProgressLocation = { Notification: 15, Window: 10 };
export const QuickPickItemKind = { Separator: -1, Default: 0 };
export const FileType = { File: 1, Directory: 2 };

const configurationChanged = new EventEmitter();

/** What tests set and look at. `reset` puts everything back. */
export const fake = {
  settings: new Map<string, unknown>(),
  commands: new Map<string, (...args: readonly unknown[]) => unknown>(),
  /** Built-in commands that were run. */
  ran: [] as unknown[][],
  providers: new Map<string, unknown>(),
  /** Every notification, in order. */
  shown: [] as string[],
  /** What a person answers: each question takes the next. */
  answers: [] as unknown[],
  lines: [] as string[],
  channels: [] as string[],
  documents: [] as string[],
  /** Which text a page has that is no file. */
  pageText: (_: Uri): string => '',
  files: new Map<string, { readonly data: Uint8Array; readonly at: number }>(),
  statusBar: undefined as FakeStatusBar | undefined,
  clipboard: '',
  /** A click on "Cancel" of the progress that is shown. */
  cancelProgress: () => {},
  reset() {
    for (const map of [fake.settings, fake.commands, fake.providers, fake.files]) map.clear();
    for (const list of [fake.ran, fake.shown, fake.answers, fake.lines, fake.channels, fake.documents]) list.length = 0;
    fake.statusBar = undefined;
  },
  set(key: string, value: unknown) {
    fake.settings.set(key, value);
    configurationChanged.fire({ affectsConfiguration: (prefix: string) => key.startsWith(prefix) });
  },
};

interface FakeStatusBar {
  text: string;
  tooltip: unknown;
  backgroundColor: unknown;
  visible: boolean;
}

const ask = async (shown: string) => {
  fake.shown.push(shown);
  return fake.answers.shift();
};

export const window = {
  createOutputChannel: (name: string) => {
    fake.channels.push(name);
    return {
      appendLine: (line: string) => fake.lines.push(line),
      show: () => fake.ran.push(['show', name]),
      clear: () => {
        fake.lines.length = 0;
      },
      dispose: () => {},
    };
  },
  createStatusBarItem: () => {
    const item = {
      text: '',
      tooltip: undefined as unknown,
      backgroundColor: undefined as unknown,
      visible: false,
      command: '',
      name: '',
      show() {
        item.visible = true;
      },
      hide() {
        item.visible = false;
      },
      dispose() {},
    };
    fake.statusBar = item;
    return item;
  },
  showInformationMessage: (text: string) => ask(text),
  showWarningMessage: (text: string) => ask(text),
  showErrorMessage: (text: string) => ask(text),
  showInputBox: (options: { readonly title?: string; readonly prompt?: string }) =>
    ask(options.prompt ?? options.title ?? ''),
  showQuickPick: async (items: unknown, options: { readonly title?: string } = {}) => {
    const list = await items;
    const wanted = await ask(options.title ?? '');
    if (typeof wanted !== 'string' || !Array.isArray(list)) return wanted;
    return list.find((item) => item === wanted || String(item.label).includes(wanted));
  },
  withProgress: (_: unknown, task: (progress: unknown, token: unknown) => unknown) => {
    const source = new CancellationTokenSource();
    fake.cancelProgress = () => source.cancel();
    return task({ report: () => {} }, source.token);
  },
  showSaveDialog: async ({ defaultUri }: { readonly defaultUri?: Uri }) => defaultUri ?? new Uri('memory:/saved.md'),
  showTextDocument: async (uri: Uri) => {
    fake.documents.push(new TextDecoder().decode(fake.files.get(uri.path)?.data));
  },
};

export const commands = {
  registerCommand: (id: string, run: (...args: readonly unknown[]) => unknown) => {
    fake.commands.set(id, run);
    return { dispose: () => fake.commands.delete(id) };
  },
  executeCommand: async (id: string, ...args: readonly unknown[]) => {
    const own = fake.commands.get(id);
    if (own !== undefined) return own(...args);
    if (id === 'markdown.showPreview' && args[0] instanceof Uri) fake.documents.push(fake.pageText(args[0]));
    fake.ran.push([id, ...args]);
    return undefined;
  },
};

export const lm = {
  registerLanguageModelChatProvider: (vendor: string, provider: unknown) => {
    fake.providers.set(vendor, provider);
    return { dispose: () => fake.providers.delete(vendor) };
  },
  selectChatModels: async ({ vendor }: { readonly vendor: string }) => {
    const provider = fake.providers.get(vendor) as LanguageModelChatProvider;
    const { token } = new CancellationTokenSource();
    return provider.provideLanguageModelChatInformation({ silent: true }, token as CancellationToken);
  },
};

export const workspace = {
  workspaceFolders: undefined as readonly { readonly uri: Uri }[] | undefined,
  getConfiguration: (section: string) => ({
    get: (key: string, otherwise?: unknown) => fake.settings.get(`${section}.${key}`) ?? otherwise,
    inspect: (key: string) => ({ globalValue: fake.settings.get(`${section}.${key}`) }),
    update: async (key: string, value: unknown) => fake.set(`${section}.${key}`, value),
  }),
  onDidChangeConfiguration: configurationChanged.event,
  registerTextDocumentContentProvider: (
    _: string,
    provider: { readonly provideTextDocumentContent: (uri: Uri) => string },
  ) => {
    fake.pageText = (uri) => provider.provideTextDocumentContent(uri);
    return { dispose: () => {} };
  },
  fs: {
    createDirectory: async () => {},
    readDirectory: async ({ path }: Uri) =>
      [...fake.files.keys()]
        .filter((file) => file.startsWith(`${path}/`))
        .map((file) => [file.slice(path.length + 1), FileType.File]),
    readFile: async ({ path }: Uri) => {
      const file = fake.files.get(path);
      if (file === undefined) throw new Error(`ENOENT ${path}`);
      return file.data;
    },
    writeFile: async ({ path }: Uri, data: Uint8Array) => {
      fake.files.set(path, { data, at: 0 });
    },
    delete: async ({ path }: Uri) => {
      fake.files.delete(path);
    },
    stat: async ({ path }: Uri) => ({ mtime: fake.files.get(path)?.at ?? 0 }),
  },
};

export const version = '1.139.1';

export const env = {
  clipboard: {
    writeText: async (text: string) => {
      fake.clipboard = text;
    },
  },
  openExternal: async (uri: unknown) => fake.ran.push(['openExternal', String(uri)]),
};

/** What `activate` is given. */
export function fakeContext() {
  const secrets = new Map<string, string>();
  const state = new Map<string, unknown>();
  const secretsChanged = new EventEmitter();
  return {
    subscriptions: [] as { dispose(): unknown }[],
    extension: { id: 'dragoman.dragoman', packageJSON: { version: '0.1.0' } },
    extensionUri: new Uri('memory:/extension'),
    logUri: new Uri('memory:/log'),
    globalState: {
      get: (key: string, otherwise?: unknown) => state.get(key) ?? otherwise,
      update: async (key: string, value: unknown) => {
        state.set(key, value);
      },
      keys: () => [...state.keys()],
    },
    secrets: {
      get: async (key: string) => secrets.get(key),
      store: async (key: string, value: string) => {
        secrets.set(key, value);
        secretsChanged.fire({ key });
      },
      delete: async (key: string) => {
        secrets.delete(key);
        secretsChanged.fire({ key });
      },
      onDidChange: secretsChanged.event,
    },
  };
}
