import { isObject } from './read-values.ts';
import type { JsonObject } from './request-types.ts';

/**
 * The four things that servers of this API refuse most:
 *
 * - `types`: every item, part and tool says its `type`.
 * - `content`: the types of a message's parts fit its role.
 * - `tools`: tools are flat, and their names are 1 to 64 letters, digits, `_` and `-`.
 * - `fields`: required fields are there, and fields have the form and the limits that OpenResponses gives them.
 */
export type RequestCheck = 'types' | 'content' | 'tools' | 'fields';

/** One thing that is wrong with a request. */
export interface Finding {
  readonly check: RequestCheck;
  /** The place, such as `input[1].content[0].type`. */
  readonly path: string;
  /** What is wrong there, and what to send instead: a sentence without its beginning, which is the path. */
  readonly problem: string;
}

/** So many are told, as one mistake is often made in every item. */
const mostFindings = 20;

/**
 * What servers of OpenResponses would refuse in a request; empty where nothing is wrong. Fields, items and tools that
 * OpenResponses does not know are let through: they are a server's own.
 */
export function checkRequest(request: unknown): readonly Finding[] {
  const checker = new Checker();
  if (isObject(request)) checkBody(checker, request);
  else checker.find('fields', 'request', 'must be an object.');
  return checker.findings;
}

class Checker {
  readonly findings: Finding[] = [];

  find(check: RequestCheck, path: string, problem: string): void {
    if (this.findings.length < mostFindings) this.findings.push({ check, path, problem });
  }

  /** The type of an object in a list; undefined, and told, where it has none. */
  typeOf(value: unknown, path: string, hint: string): string | undefined {
    if (!isObject(value)) this.find('types', path, 'must be an object with a type.');
    else if (typeof value.type === 'string' && value.type !== '') return value.type;
    else this.find('types', `${path}.type`, `is missing; ${hint}`);
    return undefined;
  }

  text(value: unknown, path: string): void {
    if (typeof value !== 'string') this.find('fields', path, 'must be a string.');
  }

  /** An optional whole number. */
  count(value: unknown, path: string, { least, most }: { readonly least: number; readonly most?: number }): void {
    if (isAbsent(value)) return;
    const fits = Number.isInteger(value) && Number(value) >= least && Number(value) <= (most ?? Number.MAX_VALUE);
    const range = most === undefined ? `of at least ${least}` : `from ${least} to ${most}`;
    if (!fits) this.find('fields', path, `must be a whole number ${range}.`);
  }

  /** An optional text of bounded length. */
  shortText(value: unknown, path: string, most: number): void {
    if (isAbsent(value)) return;
    if (typeof value !== 'string' || value.length > most) {
      this.find('fields', path, `must be a string of at most ${most} characters.`);
    }
  }

  name(value: unknown, path: string): void {
    if (typeof value !== 'string' || value === '') this.find('tools', path, 'is missing.');
    else if (!/^[a-zA-Z0-9_-]{1,64}$/.test(value)) {
      this.find('tools', path, `is ${quote(value)}; names are 1 to 64 letters, digits, "_" and "-".`);
    }
  }
}

function checkBody(checker: Checker, body: JsonObject): void {
  if (!isAbsent(body.model) && (typeof body.model !== 'string' || body.model === '')) {
    checker.find('fields', 'model', 'must be the name of a model.');
  }
  checkInput(checker, body);
  checkTools(checker, body.tools);
  checkToolChoice(checker, body.tool_choice);
  checkMetadata(checker, body.metadata);
  if (!isAbsent(body.instructions)) checker.text(body.instructions, 'instructions');
  checker.count(body.max_output_tokens, 'max_output_tokens', { least: 16 });
  checker.count(body.max_tool_calls, 'max_tool_calls', { least: 1 });
  checker.count(body.top_logprobs, 'top_logprobs', { least: 0, most: 20 });
  checker.shortText(body.safety_identifier, 'safety_identifier', 64);
  checker.shortText(body.prompt_cache_key, 'prompt_cache_key', 64);
}

function checkInput(checker: Checker, { input, previous_response_id: previous }: JsonObject): void {
  if (typeof input === 'string' || (isAbsent(input) && !isAbsent(previous))) return;
  if (!Array.isArray(input)) {
    checker.find('fields', 'input', isAbsent(input) ? 'is missing.' : 'must be a string or a list of items.');
    return;
  }
  input.forEach((item: unknown, at) => {
    checkItem(checker, item, `input[${at}]`);
  });
}

function checkItem(checker: Checker, item: unknown, path: string): void {
  // A reference may leave out its type.
  if (isObject(item) && isAbsent(item.type) && typeof item.id === 'string' && Object.keys(item).length <= 2) return;
  const looksLikeMessage = isObject(item) && 'role' in item;
  const type = checker.typeOf(item, path, looksLikeMessage ? 'a message says "message".' : 'every item says its own.');
  if (type === undefined || !isObject(item)) return;
  switch (type) {
    case 'message':
      checkMessage(checker, item, path);
      return;
    case 'function_call':
      checkCallId(checker, item.call_id, `${path}.call_id`);
      checker.name(item.name, `${path}.name`);
      if (typeof item.arguments !== 'string') {
        checker.find('fields', `${path}.arguments`, 'must be a string of JSON, such as "{}".');
      }
      return;
    case 'function_call_output':
      checkCallId(checker, item.call_id, `${path}.call_id`);
      checkOutput(checker, item.output, `${path}.output`);
      return;
    case 'reasoning':
      checkSummary(checker, item.summary, `${path}.summary`);
      return;
    case 'compaction':
      checker.text(item.encrypted_content, `${path}.encrypted_content`);
      return;
    case 'item_reference':
      checker.text(item.id, `${path}.id`);
      return;
    default:
      if (noItems.includes(type)) {
        checker.find('types', `${path}.type`, `is ${quote(type)}, which is not an item; a message says "message".`);
      }
  }
}

/** What other APIs, or other fields, call their things. Any other type may be a server's own. */
const noItems: readonly string[] = [
  ...['user', 'assistant', 'system', 'developer', 'tool', 'function', 'tool_use', 'tool_result', 'text', 'refusal'],
  ...['input_text', 'output_text', 'summary_text', 'input_image', 'image_url', 'input_file'],
];

function checkSummary(checker: Checker, summary: unknown, path: string): void {
  if (!Array.isArray(summary)) {
    checker.find('fields', path, 'must be a list; it may be empty.');
    return;
  }
  summary.forEach((part: unknown, at) => {
    checkPart(checker, part, { path: `${path}[${at}]`, allowed: ['summary_text'], whose: 'in a summary' });
  });
}

function checkCallId(checker: Checker, value: unknown, path: string): void {
  if (typeof value !== 'string' || value === '' || value.length > 64) {
    checker.find('fields', path, 'must be a string of 1 to 64 characters.');
  }
}

const userParts: readonly string[] = ['input_text', 'input_image', 'input_file'];

/** What the parts of a message of each role may be. The first is the type of its text. */
const partsOfRole: ReadonlyMap<unknown, readonly string[]> = new Map([
  ['user', userParts],
  ['system', ['input_text']],
  ['developer', ['input_text']],
  ['assistant', ['output_text', 'refusal']],
]);

function checkMessage(checker: Checker, { role, content }: JsonObject, path: string): void {
  const allowed = partsOfRole.get(role);
  if (allowed === undefined) {
    const roles = [...partsOfRole.keys()].join(', ');
    checker.find('fields', `${path}.role`, `is ${quote(role)}; it is one of ${roles}.`);
    return;
  }
  if (typeof content === 'string') return;
  if (!Array.isArray(content)) {
    checker.find('fields', `${path}.content`, 'must be a string or a list of parts.');
    return;
  }
  const whose = `in a message of the role ${String(role)}`;
  content.forEach((part: unknown, at) => {
    checkPart(checker, part, { path: `${path}.content[${at}]`, allowed, whose });
  });
}

function checkOutput(checker: Checker, output: unknown, path: string): void {
  if (typeof output === 'string') return;
  if (!Array.isArray(output)) {
    checker.find('fields', path, 'must be a string or a list of parts; an empty result is "".');
    return;
  }
  const rules = { allowed: [...userParts, 'input_video'], whose: 'in a result' };
  output.forEach((part: unknown, at) => {
    checkPart(checker, part, { path: `${path}[${at}]`, ...rules });
  });
}

interface PartRules {
  readonly path: string;
  readonly allowed: readonly string[];
  readonly whose: string;
}

function checkPart(checker: Checker, part: unknown, { path, allowed, whose }: PartRules): void {
  const type = checker.typeOf(part, path, `text ${whose} says "${allowed[0]}".`);
  if (type === undefined || !isObject(part) || type.includes(':')) return;
  if (!allowed.includes(type)) {
    checker.find(
      'content',
      `${path}.type`,
      `is ${quote(type)}, which does not stand ${whose}; use ${listed(allowed)}.`,
    );
  } else if (type === 'refusal') checker.text(part.refusal, `${path}.refusal`);
  else if (type.endsWith('_text')) checker.text(part.text, `${path}.text`);
  else if (type === 'input_image' && !isAbsent(part.image_url)) checker.text(part.image_url, `${path}.image_url`);
}

function checkTools(checker: Checker, tools: unknown): void {
  if (isAbsent(tools)) return;
  if (!Array.isArray(tools)) {
    checker.find('tools', 'tools', 'must be a list.');
    return;
  }
  tools.forEach((tool: unknown, at) => {
    const path = `tools[${at}]`;
    if (isObject(tool) && isObject(tool.function)) {
      checker.find(
        'tools',
        path,
        'is nested as in Chat Completions; put name, description and parameters beside type.',
      );
      return;
    }
    const type = checker.typeOf(tool, path, 'a tool of yours says "function".');
    if (type !== 'function' || !isObject(tool)) return;
    checker.name(tool.name, `${path}.name`);
    if (!isAbsent(tool.parameters) && !isObject(tool.parameters)) {
      checker.find('tools', `${path}.parameters`, 'must be a JSON schema: an object.');
    }
    if (!isAbsent(tool.description)) checker.text(tool.description, `${path}.description`);
    if (tool.strict !== undefined && typeof tool.strict !== 'boolean') {
      checker.find('fields', `${path}.strict`, 'must be true or false.');
    }
  });
}

function checkToolChoice(checker: Checker, choice: unknown): void {
  if (isAbsent(choice)) return;
  if (typeof choice === 'string') {
    checkMode(checker, choice, 'tool_choice');
    return;
  }
  const type = checker.typeOf(choice, 'tool_choice', 'it is "function" or "allowed_tools".');
  if (type === undefined || !isObject(choice)) return;
  if (type === 'function') checkChosen(checker, choice, 'tool_choice');
  else if (type !== 'allowed_tools') {
    checker.find('types', 'tool_choice.type', `is ${quote(type)}; it is "function" or "allowed_tools".`);
  } else if (!Array.isArray(choice.tools) || choice.tools.length === 0) {
    checker.find('fields', 'tool_choice.tools', 'must be a list with at least one tool.');
  } else {
    if (!isAbsent(choice.mode)) checkMode(checker, choice.mode, 'tool_choice.mode');
    choice.tools.forEach((tool: unknown, at) => {
      const path = `tool_choice.tools[${at}]`;
      if (checker.typeOf(tool, path, 'it is "function".') !== undefined && isObject(tool))
        checkChosen(checker, tool, path);
    });
  }
}

function checkMode(checker: Checker, mode: unknown, path: string): void {
  if (mode === 'none' || mode === 'auto' || mode === 'required') return;
  checker.find('fields', path, `is ${quote(mode)}; it is none, auto or required.`);
}

function checkChosen(checker: Checker, { name, function: nested }: JsonObject, path: string): void {
  if (isObject(nested)) checker.find('tools', path, 'is nested as in Chat Completions; put the name beside type.');
  else checker.text(name, `${path}.name`);
}

function checkMetadata(checker: Checker, metadata: unknown): void {
  if (isAbsent(metadata)) return;
  if (!isObject(metadata)) {
    checker.find('fields', 'metadata', 'must be an object.');
    return;
  }
  const pairs = Object.entries(metadata);
  if (pairs.length > 16) checker.find('fields', 'metadata', `has ${pairs.length} pairs; 16 are the most.`);
  for (const [name, value] of pairs) {
    const path = `metadata[${quote(name)}]`;
    if (name.length > 64) checker.find('fields', path, `has a name of ${name.length} characters; 64 are the most.`);
    if (typeof value !== 'string' || value.length > 512) {
      checker.find('fields', path, 'must be a string of at most 512 characters.');
    }
  }
}

function isAbsent(value: unknown): value is null | undefined {
  return value === undefined || value === null;
}

function listed(words: readonly string[]): string {
  const quoted = words.map((word) => `"${word}"`);
  return quoted.length === 1 ? String(quoted[0]) : `${quoted.slice(0, -1).join(', ')} or ${quoted.at(-1)}`;
}

/** A foreign word, short enough for a message. */
function quote(word: unknown): string {
  const text = String(JSON.stringify(word));
  return text.length > 66 ? `${text.slice(0, 65)}…"` : text;
}
