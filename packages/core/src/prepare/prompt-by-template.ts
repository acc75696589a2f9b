import { hexDigestOf } from '../chat/digest.ts';
import { createEscape, type Escaped } from '../chat/escape.ts';
import { madeOnce } from '../chat/made-once.ts';
import { type ImagePart, type Message, textOf } from '../chat/message.ts';
import type { ToolDefinition } from '../chat/tool.ts';
import type { Warning } from '../chat/warning.ts';
import { reportHeadings, type SpokenTurn, turnHeadings, writeTurns } from '../chat/write-turns.ts';
import type { Dialect } from '../dialects/dialect.ts';
import type { Prompts, PromptTemplate, PromptValues, TemplateName } from '../plan/prompt-template.ts';
import { claimTags, contextOf } from './claim-tags.ts';
import { readSystems } from './inject-system.ts';
import type { TextTurn } from './merge-turns.ts';
import { placeSystem } from './place-system.ts';
import type { Prompt, Said } from './prompt.ts';
import { listTools, showCall } from './remind-of-tools.ts';
import type { WrittenHistory } from './render-history.ts';

/** A request that is to be said in one text. */
export interface TemplateOptions {
  readonly written: WrittenHistory;
  readonly prompts: Prompts;
  readonly tools: readonly ToolDefinition[];
  /** Absent where the model is not told of any tool. */
  readonly dialect?: Dialect | undefined;
}

/** A prompt that is one message of the user, written by a template. */
export function promptByTemplate(options: TemplateOptions): Prompt {
  const { written, prompts } = options;
  const messages = written.turns.map(({ message }) => message);
  const systems = readSystems(messages);
  const rules = prompts.rules();
  const parts: PromptParts = { ...options, systems, rules, ...splitTurns(written.turns) };
  const known = new Map<boolean, Said>();
  return {
    digest: () => hexDigestOf([...systems.texts, written.toolText, rules].join('\n\n')),
    messagesSeen: () => [...messages, ...say(beginning(parts), { isNew: true, withSystem: true }).messages],
    system: () => placeSystem(messages, { toolText: written.toolText, placement: 'system' }).messages.filter(isSystem),
    whole: (withSystem = true) => {
      const said = known.get(withSystem) ?? say(parts, { isNew: true, withSystem });
      known.set(withSystem, said);
      return said;
    },
    news: (withSystem, changed = []) =>
      say({ ...parts, said: [...changed, ...parts.said] }, { isNew: false, withSystem }),
    spoken: messages.filter((message) => !isSystem(message)),
  };
}

/** What a conversation begins with before anything is said. */
function beginning(parts: PromptParts): PromptParts {
  const written = { ...parts.written, turns: [], example: [] };
  return { ...parts, written, past: [], said: [], results: '' };
}

/** What begins a part in prompts of ours, whatever their templates are. */
const commonHeadings: readonly string[] = ['# Tools', '# Request', ...turnHeadings];

/** Tables are kept for the prompts whose templates they were made of: those change when a file does. */
/** Escapes lines that look like the beginning of a part or a turn in any of these templates. */
const partEscape = madeOnce((templates: ReturnType<Prompts['templates']>) => {
  const headings = [...commonHeadings, ...Object.values(templates).flatMap((template) => template.headings)];
  const marks = ['---\n', '---\r\n', ...headings].map((mark) => ({ text: `\n${mark}`, anyCase: true }));
  const escaping = createEscape(marks);
  return (text: string): Escaped => {
    // The first and the last line are lines, too.
    const escaped = escaping(`\n${text}\n`);
    return { ...escaped, text: escaped.text.slice(1, -1) };
  };
});

const isSystem = ({ role }: Message) => role === 'system';

/** A conversation in the pieces that prompts are made of. */
interface PromptParts extends TemplateOptions {
  readonly systems: ReturnType<typeof readSystems>;
  readonly rules: string;
  /** What was said up to the last answer. */
  readonly past: readonly TextTurn[];
  /** The results after it. */
  readonly results: string;
  /** What the user said after it. */
  readonly said: readonly string[];
}

interface Occasion {
  /** The upstream knows nothing of the conversation. */
  readonly isNew: boolean;
  /** System text and tools are told. */
  readonly withSystem: boolean;
}

function splitTurns(turns: readonly TextTurn[]): Pick<PromptParts, 'past' | 'results' | 'said'> {
  const spoken = turns.filter(({ message }) => message.role !== 'system');
  const since = spoken.findLastIndex(({ message }) => message.role === 'assistant') + 1;
  const news = spoken.slice(since);
  return {
    past: spoken.slice(0, since),
    results: joined(news.filter(({ tellsResults }) => tellsResults).map(({ message }) => textOf(message.content))),
    said: news.filter(({ tellsResults }) => !tellsResults).map(({ message }) => textOf(message.content)),
  };
}

function say(parts: PromptParts, { isNew, withSystem }: Occasion): Said {
  const { written, prompts, results } = parts;
  const name = chooseTemplate({
    isNew,
    hasTools: written.toolText !== '',
    hasResults: results !== '',
    hasChanged: withSystem,
  });
  const template = prompts.templates()[name];
  const warnings: Warning[] = [...parts.systems.warnings];
  const text = template.render(valuesOf(parts, { template, isNew, withSystem, warnings }));
  const turns = isNew ? written.turns : written.turns.slice(lastAnswer(written.turns) + 1);
  const message: Message = { role: 'user', content: [{ type: 'text', text }, ...imagesIn(turns)] };
  return { messages: [message], template: name, warnings };
}

function valuesOf(
  parts: PromptParts,
  {
    template,
    isNew,
    withSystem,
    warnings,
  }: Occasion & { readonly template: PromptTemplate; readonly warnings: Warning[] },
): PromptValues {
  const { written, prompts, tools, dialect, past, results, rules } = parts;
  const { mentions } = template;
  const escaping = partEscape(prompts.templates());
  let escapes = 0;
  const escaped = (text: string): string => {
    if (!written.foreign) return text;
    const { text: told, count } = escaping(text);
    escapes += count;
    return told;
  };
  const systems = withSystem ? parts.systems.texts : [];
  const said = parts.said.map(escaped);
  const claimed = claimTags([...systems, ...said], { mentions, merge: prompts.context });
  const ownInstructions = claimTags(said, { mentions, merge: prompts.context }).instructions;
  const system = claimed.rests.slice(0, systems.length);
  // Once more: what came after a tag may begin a line now.
  const rests = claimed.rests.slice(systems.length).map(escaped);
  const before = mentions.has('context') ? rests.slice(0, -1) : [];
  const known = written.toolText === '' ? undefined : dialect;
  const repeated = () => (isNew || !mentions.has('context') ? '' : escaped(pastContext(parts)));
  const turns = isNew ? [...asTurns(written.example), ...past] : [];
  const values = {
    system: joined(system),
    tools: withSystem ? written.toolText : '',
    tool_list: known === undefined ? '' : listTools(known, tools, prompts.toolDocs),
    call_example: known === undefined ? '' : showCall(known, tools),
    instructions: ownInstructions === '' ? claimed.instructions : escaped(ownInstructions),
    rules,
    attachments: claimed.attachments,
    context: joined([claimed.context || repeated(), ...before]),
    history:
      turns.length === 0
        ? ''
        : writeTurns(
            turns.map((turn) => spokenTurn(turn, escaped)),
            warnings,
          ),
    results: escaped(results),
    task: joined(rests.slice(before.length)),
  };
  reportHeadings(escapes, warnings);
  return values;
}

/** What surrounded the request that the results belong to: models that are told it only once forget it over results. */
function pastContext({ past, results, prompts }: PromptParts): string {
  if (results === '') return '';
  for (let at = past.length - 1; at >= 0; at -= 1) {
    const turn = past[at];
    if (turn?.message.role !== 'user' || turn.tellsResults) continue;
    const context = contextOf([textOf(turn.message.content)], prompts.context);
    if (context !== '') return context;
  }
  return '';
}

function spokenTurn({ message }: TextTurn, escaped: (text: string) => string): SpokenTurn {
  const isModel = message.role === 'assistant';
  return { role: isModel ? 'assistant' : 'user', text: escaped(textOf(message.content, isModel ? '' : '\n')) };
}

function asTurns(messages: readonly Message[]): readonly TextTurn[] {
  return messages.map((message) => ({ message }));
}

function lastAnswer(turns: readonly TextTurn[]): number {
  return turns.findLastIndex(({ message }) => message.role === 'assistant');
}

function imagesIn(turns: readonly TextTurn[]): readonly ImagePart[] {
  const content = turns.flatMap(({ message }) => (message.role === 'user' ? message.content : []));
  return content.filter((part) => part.type === 'image');
}

function joined(texts: readonly string[]): string {
  return texts.filter((text) => text !== '').join('\n\n');
}

/** What the choice of a template hangs on. */
interface PromptSituation {
  /** The upstream knows nothing of the conversation yet. */
  readonly isNew: boolean;
  /** Tools are there to be called. */
  readonly hasTools: boolean;
  /** Results of calls are to be told. */
  readonly hasResults: boolean;
  /** System text or tools are not what the upstream was told last. */
  readonly hasChanged: boolean;
}

/**
 * The template for what is to be said. A new conversation begins with everything; results go on with the round that
 * they belong to; and what has changed is told as at the beginning.
 */
export function chooseTemplate({ isNew, hasTools, hasResults, hasChanged }: PromptSituation): TemplateName {
  if (!isNew && hasResults) return 'results';
  if (isNew || hasChanged) return hasTools ? 'first-tools' : 'first-simple';
  return hasTools ? 'tools' : 'simple';
}
