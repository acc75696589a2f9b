// Table: tasks about what is in the arguments of calls.

import { mostTokens } from '../chat-request-of.ts';
import { callsExactly, fields, holding, jsonText, lines, list, oneOf, path } from '../judges.ts';
import type { ProbeTask } from '../task.ts';
import { fileTools, readFile, runCommand, search, tasksOf, text, tool, writeFile } from './parts.ts';

const setAlarm = tool('set_alarm', 'Sets an alarm.', {
  properties: {
    hour: { type: 'integer', minimum: 0, maximum: 23 },
    minute: { type: 'integer', minimum: 0, maximum: 59 },
    volume: { type: 'number', description: 'From 0 to 1.' },
    repeat: { type: 'boolean', description: 'Whether it rings every day.' },
  },
});

const updateTicket = tool('update_ticket', 'Changes a ticket.', {
  properties: {
    number: { type: 'integer', description: 'The number of the ticket.' },
    priority: { type: 'string', enum: ['P1', 'P2', 'P3', 'P4'], description: 'P1 is the most urgent.' },
    assignee: { type: ['string', 'null'], description: 'Who works on it; null: nobody.' },
  },
  optional: ['priority', 'assignee'],
});

const createOrder = tool('create_order', 'Orders articles for a customer.', {
  properties: {
    customer: text('The name of the customer.'),
    items: {
      type: 'array',
      items: {
        type: 'object',
        properties: { article: { type: 'string' }, quantity: { type: 'integer' } },
        required: ['article', 'quantity'],
      },
    },
  },
});

const createEvent = tool('create_event', 'Puts an event into the calendar.', {
  properties: {
    title: text('What it is called.'),
    place: {
      type: 'object',
      properties: {
        city: { type: 'string' },
        room: {
          type: 'object',
          properties: { floor: { type: 'integer' }, name: { type: 'string' } },
          required: ['floor', 'name'],
        },
      },
      required: ['city', 'room'],
    },
    guests: { type: 'array', items: { type: 'string' } },
  },
});

const applyPatch = tool('apply_patch', 'Applies a unified diff to the files of the project.', {
  properties: { patch: text('The diff, byte for byte.') },
});

export const python = `import re

GREETINGS = {'de': "Grüß Gott", 'zh': '你好', 'fr': 'Ça va?'}
QUOTED = re.compile(r"\\"([^\\"\\\\]*)\\"")


def greet(name: str, *, lang: str = "de") -> str:
    """Says 'hello' to "name"."""
    if '"' in name or "'" in name:
        name = QUOTED.sub(r'\\1', name)
    return f"{GREETINGS[lang]},\\t{name}!\\n"  # tab & line break
`;

export const diff = `--- a/src/limits.ts
+++ b/src/limits.ts
@@ -1,5 +1,6 @@
 export const limits = {
-  bodies: 1024,
+  bodies: 16 * 1024,
+  names: "at most 64",
   tools: 128,
 };
`;

export const json = { name: 'demo', paths: ['C:\\temp\\new', '/srv/"data"'], retries: 3, note: null };

export const html = `<!DOCTYPE html>
<html lang="en">
  <body class="a & b">
    <p title='5 > 3'>&lt;tool&gt; is no tag</p>
    <script>if (1 < 2 && "x" !== '') { console.log(\`<b>\${1}</b>\`); }</script>
  </body>
</html>
`;

/** A file long enough that a model gets tired of it. */
export const longFile = Array.from(
  { length: 120 },
  (_, at) => `${at + 1},item-${at + 1},${((at + 1) * 37) % 101}`,
).join('\n');

const write = (file: string, content: string) =>
  `Write the file ${file} with exactly this text, and nothing else:\n\n\`\`\`\n${content}\`\`\`\n`;

export const argumentTasks: readonly ProbeTask[] = [
  ...tasksOf({ group: 'typed arguments' }, [
    {
      id: 'typed-numbers',
      title: 'numbers and a boolean',
      tools: [setAlarm],
      ask: 'Set an alarm for 6:45 in the morning, every day, at a volume of 0.3.',
      judge: callsExactly({ name: 'set_alarm', arguments: { hour: 6, minute: 45, volume: 0.3, repeat: true } }),
    },
    {
      id: 'typed-null',
      title: 'null, and an optional field left out',
      tools: [updateTicket],
      ask: 'Ticket 4711 has no assignee any more: set its assignee to null. Leave its priority as it is.',
      judge: callsExactly({ name: 'update_ticket', arguments: { number: 4711, assignee: null } }),
    },
    {
      id: 'typed-enum',
      title: 'a word of an enum that was not said so',
      tools: [updateTicket, search],
      ask: 'Ticket 812 is on fire: give it the most urgent priority.',
      stream: false,
      judge: callsExactly({ name: 'update_ticket', arguments: { number: 812, priority: 'P1' } }),
    },
    {
      id: 'typed-objects',
      title: 'an array of objects',
      tools: [createOrder, updateTicket],
      ask: 'Order for Miller: 3 of article A-17, 12 of article B-2 and 1 of article C-300.',
      judge: callsExactly({
        name: 'create_order',
        arguments: {
          customer: holding('Miller'),
          items: [
            { article: 'A-17', quantity: 3 },
            { article: 'B-2', quantity: 12 },
            { article: 'C-300', quantity: 1 },
          ],
        },
      }),
    },
    {
      id: 'typed-nested',
      title: 'objects within objects',
      tools: [createEvent],
      ask: 'Plan the event "Review" in Vienna, on floor 4 in the room named Klimt. The guests are Ada, Grace and Linus.',
      judge: callsExactly({
        name: 'create_event',
        arguments: {
          title: holding('Review'),
          place: fields({ city: oneOf('Vienna', 'Wien'), room: fields({ floor: 4, name: oneOf('Klimt') }) }),
          guests: list('Ada', 'Grace', 'Linus'),
        },
      }),
    },
    {
      id: 'typed-optional',
      title: 'optional fields that nobody asked for',
      tools: [search, readFile],
      ask: 'Find TODO in the files of the project.',
      stream: false,
      judge: callsExactly({ name: 'search', arguments: { query: 'TODO' } }),
    },
  ]),
  ...tasksOf({ group: 'code in arguments' }, [
    {
      id: 'code-python',
      title: 'a Python file with quotes, backslashes and Unicode',
      tools: [writeFile, readFile],
      ask: write('greet.py', python),
      judge: callsExactly({ name: 'write_file', arguments: { path: path('greet.py'), content: lines(python) } }),
    },
    {
      id: 'code-diff',
      title: 'a diff',
      tools: [applyPatch, readFile],
      ask: `Apply exactly this patch:\n\n\`\`\`diff\n${diff}\`\`\`\n`,
      judge: callsExactly({ name: 'apply_patch', arguments: { patch: lines(diff) } }),
    },
    {
      id: 'code-json',
      title: 'JSON in a text',
      tools: [writeFile],
      ask: write('config.json', `${JSON.stringify(json, null, 2)}\n`),
      stream: false,
      judge: callsExactly({ name: 'write_file', arguments: { path: path('config.json'), content: jsonText(json) } }),
    },
    {
      id: 'code-markup',
      title: 'a page with tags, entities and a script',
      tools: [writeFile, readFile],
      ask: write('index.html', html),
      judge: callsExactly({ name: 'write_file', arguments: { path: path('index.html'), content: lines(html) } }),
    },
    {
      id: 'code-command',
      title: 'a command line with quotes and a pipe',
      tools: fileTools,
      ask: `Run exactly this command: grep -rn "it's here" --include='*.ts' src | wc -l`,
      stream: false,
      judge: callsExactly({
        name: runCommand.name,
        arguments: { command: lines(`grep -rn "it's here" --include='*.ts' src | wc -l`) },
      }),
    },
    {
      id: 'code-long',
      title: 'a file of 120 lines',
      tools: [writeFile],
      ask: write('items.csv', `${longFile}\n`),
      writes: mostTokens,
      judge: callsExactly({ name: 'write_file', arguments: { path: path('items.csv'), content: lines(longFile) } }),
    },
  ]),
];
