import type { JsonObject } from '../chat/message.ts';
import type { ChangeRequest } from '../vault/change.ts';
import type { ReadView } from '../vault/read-view.ts';
import { ToolFault } from '../vault/vault.ts';
import type { Tool, ToolContext, ToolOutcome } from './tool.ts';

const path = { type: 'string', description: 'Path from the root of the folder, such as "notes/today.md".' };
const line = (description: string) => ({ type: 'integer', minimum: 1, description });

function schema(properties: JsonObject, required: readonly string[] = []): JsonObject {
  return { type: 'object', properties, required, additionalProperties: false };
}

/** The most entries of a page of `list`, and lines that `search` finds. */
const pageSize = 200;
const mostFound = 100;
/** Files that are larger are passed over by `search`, in bytes. */
const largestSearched = 2_000_000;

/** The tools that every agent over a folder has. */
export function createVaultTools(): readonly Tool[] {
  return [activeFile, list, read, search, write, append, lineEdit, move, remove];
}

const activeFile: Tool = {
  name: 'active_file',
  description: 'Tells the path and the text of the file that the user is looking at.',
  inputSchema: schema({}),
  reads: true,
  run: async (_, { vault }) => {
    const active = vault.active();
    if (active === undefined) return 'The user has no file open.';
    return `${active}\n\n${await vault.read(active)}`;
  },
};

const list: Tool = {
  name: 'list',
  description: 'Lists files and folders, all levels below a folder. Folders end with "/".',
  inputSchema: schema({
    path: { type: 'string', description: 'The folder. Default: the root.' },
    filter: { type: 'string', description: 'Only paths that contain this text, such as ".md" or "meeting".' },
    page: { type: 'integer', minimum: 1, description: `Which ${pageSize} entries; the first page is 1.` },
  }),
  reads: true,
  run: async (values, { vault }) => {
    const folder = textOf(values, 'path');
    const filter = textOf(values, 'filter');
    const page = numberOf(values, 'page') ?? 1;
    const stat = await vault.stat(folder);
    const where = folder === '' ? 'the root' : `"${folder}"`;
    if (stat === undefined) throw await missing(vault, folder);
    if (stat.kind === 'file') return `${where} is a file, not a folder. Read it with the tool read.`;
    const all = await vault.list(folder);
    if (all.length === 0) return folder === '' ? 'There are no files here yet.' : `The folder ${where} is empty.`;
    const wanted = filter.toLowerCase();
    const found = all.filter((entry) => entry.path.toLowerCase().includes(wanted));
    if (found.length === 0) return `Nothing in ${where} matches "${filter}". It has ${all.length} other entries.`;
    const pages = Math.ceil(found.length / pageSize);
    const shown = found.slice((page - 1) * pageSize, page * pageSize);
    if (shown.length === 0) return `There is no page ${page}: there are ${pages}.`;
    const lines = shown.map((entry) => (entry.kind === 'folder' ? `${entry.path}/` : entry.path));
    return [...lines, ...(pages > 1 ? [`[Page ${page} of ${pages}, ${found.length} entries.]`] : [])].join('\n');
  },
};

const read: Tool = {
  name: 'read',
  description: 'Reads a file, or a range of its lines.',
  inputSchema: schema(
    { path, from: line('The first line to read, counted from 1.'), to: line('The last line to read.') },
    ['path'],
  ),
  reads: true,
  run: async (values, { vault }) => {
    const found = await fileAt(vault, textOf(values, 'path'));
    const text = await vault.read(found);
    const from = numberOf(values, 'from');
    const to = numberOf(values, 'to');
    if (text === '') return `"${found}" is empty.`;
    if (from === undefined && to === undefined) return text;
    const lines = text.split('\n');
    const first = from ?? 1;
    const last = Math.min(to ?? lines.length, lines.length);
    if (first > lines.length) return `"${found}" has only ${lines.length} lines.`;
    if (last < first) throw new ToolFault(`There are no lines from ${first} to ${to}: "to" is smaller than "from".`);
    return `[Lines ${first} to ${last} of ${lines.length}]\n${lines.slice(first - 1, last).join('\n')}`;
  },
};

const search: Tool = {
  name: 'search',
  description: 'Finds lines that contain a text, in any case, in all files below a folder, or in one file.',
  inputSchema: schema(
    {
      text: { type: 'string', minLength: 1 },
      path: { type: 'string', description: 'The folder or file. Default: the root.' },
    },
    ['text'],
  ),
  reads: true,
  run: async (values, { vault, signal }) => {
    const wanted = textOf(values, 'text').toLowerCase();
    const where = textOf(values, 'path');
    const stat = await vault.stat(where);
    if (stat === undefined) throw await missing(vault, where);
    const found: string[] = [];
    for (const entry of stat.kind === 'file' ? [stat] : await vault.list(where)) {
      signal.throwIfAborted();
      if (entry.kind === 'folder' || (entry.size ?? 0) > largestSearched) continue;
      // A file that is no text, or has gone meanwhile, has nothing to find.
      const text = await vault.read(entry.path).catch(() => '');
      if (!text.toLowerCase().includes(wanted)) continue;
      for (const [at, each] of text.split('\n').entries()) {
        if (!each.toLowerCase().includes(wanted)) continue;
        if (found.length === mostFound) return [...found, `[Only the first ${mostFound} lines are shown.]`].join('\n');
        found.push(`${entry.path}:${at + 1}: ${each.trim().slice(0, 300)}`);
      }
    }
    return found.length === 0 ? `No file contains "${textOf(values, 'text')}".` : found.join('\n');
  },
};

const write: Tool = {
  name: 'write',
  description: 'Creates a file, or replaces its whole text. The user sees the change first and may reject it.',
  inputSchema: schema({ path, text: { type: 'string', description: 'The whole text.' } }, ['path', 'text']),
  reads: false,
  run: (values, context) =>
    change(context, { kind: 'write', path: textOf(values, 'path'), text: textOf(values, 'text') }),
};

const append: Tool = {
  name: 'append',
  description: 'Adds text at the end of a file, on a new line; creates the file if it is not there.',
  inputSchema: schema({ path, text: { type: 'string' } }, ['path', 'text']),
  reads: false,
  run: async (values, context) => {
    const { vault } = context;
    const written = textOf(values, 'path');
    // Notes are often named without their ending.
    const isNote = (await vault.stat(written)) === undefined && (await vault.stat(`${written}.md`))?.kind === 'file';
    const at = isNote ? `${written}.md` : written;
    const before = (await vault.stat(at))?.kind === 'file' ? await vault.read(at) : '';
    const gap = before === '' || before.endsWith('\n') ? '' : '\n';
    return change(context, { kind: 'write', path: at, text: before + gap + textOf(values, 'text') });
  },
};

const lineEdit: Tool = {
  name: 'line_edit',
  description:
    'Replaces lines of a file by others. Give the lines as they are there now in "old": they must be found exactly once, or at line "from".',
  inputSchema: schema(
    {
      path,
      old: { type: 'string', description: 'The lines to replace, exactly as they are in the file.', minLength: 1 },
      new: { type: 'string', description: 'What is there afterwards; empty to delete the lines.' },
      from: line('The number of the first of the old lines, where they are in the file several times.'),
    },
    ['path', 'old', 'new'],
  ),
  reads: false,
  run: async (values, context) => {
    const at = await fileAt(context.vault, textOf(values, 'path'));
    const from = numberOf(values, 'from');
    const text = replaceLines(await context.vault.read(at), {
      path: at,
      old: textOf(values, 'old'),
      by: textOf(values, 'new'),
      ...(from !== undefined && { from }),
    });
    return change(context, { kind: 'write', path: at, text });
  },
};

const move: Tool = {
  name: 'move',
  description: 'Moves or renames a file. The user sees it first and may reject it.',
  inputSchema: schema({ path, to: { type: 'string', description: 'The new path.' } }, ['path', 'to']),
  reads: false,
  run: async (values, context) => {
    const from = await fileAt(context.vault, textOf(values, 'path'));
    return change(context, { kind: 'move', path: from, to: textOf(values, 'to') });
  },
};

const remove: Tool = {
  name: 'delete',
  description: 'Deletes a file. The user sees it first and may reject it.',
  inputSchema: schema({ path }, ['path']),
  reads: false,
  run: async (values, context) => {
    const at = await fileAt(context.vault, textOf(values, 'path'));
    return change(context, { kind: 'delete', path: at });
  },
};

function textOf(values: JsonObject, name: string): string {
  const value = values[name];
  return typeof value === 'string' ? value : '';
}

function numberOf(values: JsonObject, name: string): number | undefined {
  const value = values[name];
  return typeof value === 'number' ? value : undefined;
}

async function change({ change: ask }: ToolContext, request: ChangeRequest): Promise<ToolOutcome> {
  const outcome = await ask(request);
  switch (outcome.became) {
    case 'rejected':
      return {
        status: 'rejected',
        content: 'The user rejected this change; nothing was written. Ask what they want instead, or go on without it.',
      };
    case 'unchanged':
      return `"${request.path}" has this text already; nothing was written.`;
    case 'made': {
      const { kind, path: at, to, after = '' } = outcome.change;
      if (kind === 'move') return `Moved "${at}" to "${to}".`;
      if (kind === 'delete') return `Deleted "${at}".`;
      const count = after.split('\n').length - (after.endsWith('\n') || after === '' ? 1 : 0);
      return `${kind === 'create' ? 'Created' : 'Changed'} "${at}"; it has ${count} ${count === 1 ? 'line' : 'lines'} now.`;
    }
    default:
      return outcome satisfies never;
  }
}

/** The file that is meant: the one at this path, or the only one of this name. */
async function fileAt(vault: ReadView, written: string): Promise<string> {
  const at = await vault.confine(written);
  const stat = await vault.stat(at);
  if (stat?.kind === 'file') return at;
  if (stat?.kind === 'folder') throw new ToolFault(`"${at}" is a folder. List it with the tool list.`);
  const alike = await filesNamed(vault, at);
  const [only, another] = alike;
  if (only !== undefined && another === undefined) return only;
  throw await missing(vault, at, alike);
}

/** Files of the same name elsewhere, with or without the ending of notes. */
async function filesNamed(vault: ReadView, wanted: string): Promise<readonly string[]> {
  const name = wanted.slice(wanted.lastIndexOf('/') + 1).toLowerCase();
  const entries = await vault.list('');
  return entries
    .filter(({ kind, path: each }) => {
      const own = each.slice(each.lastIndexOf('/') + 1).toLowerCase();
      return kind === 'file' && (own === name || own === `${name}.md`);
    })
    .map(({ path: each }) => each);
}

async function missing(vault: ReadView, at: string, alike?: readonly string[]): Promise<ToolFault> {
  const found = alike ?? (await filesNamed(vault, at));
  if (found.length > 1) {
    const some = found.slice(0, 10).map((each) => `"${each}"`);
    return new ToolFault(`"${at}" may be one of several files: ${some.join(', ')}. Give the whole path.`);
  }
  return new ToolFault(`There is nothing at "${at}". See with the tool list what there is.`);
}

/** What replaces what in which text. `from`: the number of the first old line, counted from one. */
interface LineReplacement {
  readonly path: string;
  readonly old: string;
  readonly by: string;
  readonly from?: number;
}

/** The text with whole lines replaced. Throws ToolFault where the old lines are not there, or several times. */
function replaceLines(text: string, { path, old, by, from }: LineReplacement): string {
  // Lines of Windows stay such lines.
  const end = text.includes('\r\n') ? '\r\n' : '\n';
  const lines = text.split(end);
  const wanted = linesOf(old);
  const places = placesOf(lines, wanted);
  const quoted = JSON.stringify(path);
  if (places.length === 0) {
    throw new ToolFault(`These lines are not in ${quoted}. Read it again and give them exactly as they are there.`);
  }
  const numbers = places.map((at) => at + 1);
  const at = from === undefined && places.length === 1 ? places[0] : places.find((place) => place + 1 === from);
  if (at === undefined) {
    throw new ToolFault(
      from === undefined
        ? `These lines are in ${quoted} ${places.length} times, at lines ${numbers.slice(0, 10).join(', ')}. Give "from", or more lines.`
        : `These lines are not at line ${from} of ${quoted}, but at ${numbers.slice(0, 10).join(', ')}.`,
    );
  }
  const put = by === '' ? [] : linesOf(by);
  return [...lines.slice(0, at), ...put, ...lines.slice(at + wanted.length)].join(end);
}

/** The lines of a text; a line break at its end begins no further line. */
function linesOf(text: string): readonly string[] {
  const lines = text.split('\r\n').join('\n').split('\n');
  return lines.length > 1 && lines.at(-1) === '' ? lines.slice(0, -1) : lines;
}

function placesOf(lines: readonly string[], wanted: readonly string[]): readonly number[] {
  const places: number[] = [];
  for (let at = 0; at + wanted.length <= lines.length; at += 1) {
    if (wanted.every((line, index) => lines[at + index] === line)) places.push(at);
  }
  return places;
}
