/** The gateway, as a client has to be told of it. */
export interface Place {
  /** Its address without a path, such as `http://127.0.0.1:11434`. */
  readonly url: string;
  /** What the client gets to know of; never empty, and the first is the one to begin with. */
  readonly models: readonly [OfferedModel, ...OfferedModel[]];
  /** The environment variable that holds the gateway's key; absent when it asks for none. */
  readonly keyVariable?: string;
}

/** A model under the name that clients ask for. */
export interface OfferedModel {
  readonly id: string;
  /** In tokens; absent where nobody knows. */
  readonly contextWindow?: number;
  /** The longest reply in tokens; a part of the context window, and known wherever that is. */
  readonly maxOutput?: number;
  readonly images: boolean;
  readonly reasoning: boolean;
}

/** The APIs that a client may speak, by the words of the command line. */
export const apis = ['chat', 'responses', 'messages', 'ollama'] as const;
export type Api = (typeof apis)[number];

/** A program that can be pointed at the gateway. */
export interface Client {
  readonly id: string;
  readonly name: string;
  /** What its first request takes in tokens, before anybody has said anything; absent for programs without a prompt. */
  readonly firstRequest?: number;
  /** It takes no model without a window. */
  readonly needsWindow?: boolean;
  /** By the APIs that it speaks. The first is taken unless another is asked for. */
  readonly ways: readonly [Way, ...Way[]];
  /** How it is started; absent for what is no program of its own. */
  readonly launch?: Launch;
}

/** How a program is started so that it asks the gateway for one run, with its user's settings as they are. */
export interface Launch {
  /** Its command. */
  readonly program: string;
  /** The npm package that brings it. */
  readonly package: string;
  /** Where its own installer puts it besides, below the user's home, with slashes. */
  readonly places?: readonly string[];
  /** What it loses at the end of the run, in a sentence. */
  readonly note?: string;
  point(run: Run): Pointed;
}

/** What points a program at the gateway. */
export interface Pointed {
  /** Before what its user gives it. */
  readonly args?: readonly string[];
  readonly variables?: Readonly<Record<string, ShellWord>>;
}

/** What a program is pointed with. */
export interface Run {
  readonly place: Place;
  /** The gateway's key, for programs that take none from a variable. */
  readonly key?: string;
  /** A folder that only its user may read, and that is gone after the run. */
  readonly folder: string;
  /** Writes a file into it, whose name may have folders, and returns its path. */
  write(name: string, settings: Settings | string): string;
}

/** How to point a client at the gateway so that it speaks a certain API. */
export interface Way {
  readonly api: Api;
  /** What becomes of the gateway's key where the client does not take it from a variable, in a sentence. */
  readonly keyNote?: string;
  steps(place: Place): readonly Step[];
}

/** One thing to do, in the order of doing. */
export type Step =
  | { readonly kind: 'file'; readonly file: SettingsFile }
  | { readonly kind: 'variables'; readonly values: Readonly<Record<string, ShellWord>> }
  | { readonly kind: 'command'; readonly words: readonly ShellWord[] }
  | { readonly kind: 'program'; readonly language: 'sh' | 'ts'; readonly text: string };

/** A word for a shell: as it stands, or what an environment variable holds. */
export type ShellWord = string | { readonly variable: string };

/** A file of the client's and what has to be in it, whatever else does. */
export interface SettingsFile {
  readonly format: 'jsonc' | 'toml' | 'yaml';
  readonly place: FilePlace;
  readonly settings: Settings;
  /** Settings of the outermost object that stay as they are where the file has them already. */
  readonly keeps?: readonly string[];
}

export interface FilePlace {
  /** Below the user's home, with slashes. Several: the first that is there, else the first. */
  readonly home: readonly [string, ...string[]];
  /** Variables that move the file, as the client reads them; the first that is set counts. */
  readonly moves?: readonly Move[];
  /** Where it is on other systems, below the home. */
  readonly darwin?: string;
  readonly win32?: string;
}

/** A variable that names the file itself, or a folder above it. */
export interface Move {
  readonly variable: string;
  /** The folder below the one that the variable names; `undefined` for a variable that names the file. */
  readonly folder: string | undefined;
  /** The only system on which the client reads it. */
  readonly platform?: 'linux';
}

export type Settings = SettingsObject | readonly Setting[];
export type Setting = string | number | boolean | null | SettingsObject | readonly Setting[];
export interface SettingsObject {
  readonly [name: string]: Setting;
}

/** The key as a shell word. Clients that insist on one get a word that says there is none. */
export function keyWord({ keyVariable }: Place): ShellWord {
  return keyVariable === undefined ? 'none' : { variable: keyVariable };
}

/** The base URL that clients of OpenAI's APIs want. */
export function openaiUrl({ url }: Place): string {
  return `${url}/v1`;
}

/** The note of a client that has no place for a key. */
export function noKey(name: string): string {
  return `Over this API ${name} sends no key, so it needs a gateway that asks for none.`;
}
