// Table: tasks with many tools, and with much to read.

import type { ToolDefinition } from '@dragoman/core';
import { callsExactly, path } from '../judges.ts';
import type { ProbeTask } from '../task.ts';
import { fileTools, system, tasksOf, text, tool, user } from './parts.ts';

const deeds = ['create', 'close', 'rename', 'archive', 'share', 'copy'];
const things = [
  'invoice',
  'contract',
  'playlist',
  'calendar',
  'backup',
  'mailbox',
  'branch',
  'dashboard',
  'survey',
  'device',
];

/** Tools that are like each other, as those of agents with many plug-ins. */
const officeTools: readonly ToolDefinition[] = things.flatMap((thing) =>
  deeds.map((deed) =>
    tool(`${deed}_${thing}`, `Use this to ${deed} one ${thing} of the user.`, {
      properties: { name: text(`The name of the ${thing}.`), reason: text('Why, in a few words.') },
      optional: ['reason'],
    }),
  ),
);

/** Characters of a token of English, about. */
const charactersOfToken = 4;

const places = ['harbour', 'library', 'station', 'workshop', 'garden', 'archive', 'kitchen', 'bridge'];
const states = ['was quiet', 'was painted anew', 'had a visitor', 'stayed closed', 'was measured', 'was full of boxes'];

/** Notes that say nothing of what is asked, about so many tokens. */
function notesOf(tokens: number): string {
  const notes: string[] = [];
  let length = 0;
  for (let day = 1; length < tokens * charactersOfToken; day += 1) {
    const place = places[(day * 5) % places.length];
    const note = `Day ${day}: the ${place} ${states[(day * 7) % states.length]}, and ${(day * 13) % 29} people came by.`;
    notes.push(note);
    length += note.length + 1;
  }
  return notes.join('\n');
}

const longTask = (
  tokens: number,
  { stream, file }: { readonly stream: boolean; readonly file: string },
): ProbeTask => ({
  id: `long-${tokens / 1000}k`,
  group: 'long context',
  title: `keeps an instruction over ${tokens / 1000},000 tokens`,
  tools: fileTools,
  messages: [
    system(
      'You are an assistant with tools. One rule of this project holds always: each file that you write goes into the folder out/amber, whatever folder the user names.',
    ),
    user(`Here are my notes.\n\n${notesOf(tokens)}`),
    { role: 'assistant', content: [{ type: 'text', text: 'I have read your notes.' }] },
    user(`Thank you. Now write the word done into the file ${file}, as the rule of this project says.`),
  ],
  stream,
  judge: callsExactly({
    name: 'write_file',
    arguments: {
      path: path(`out/amber/${file}`),
      content: (value) => (typeof value === 'string' && value.trim() === 'done' ? undefined : 'is not "done"'),
    },
  }),
  // The answer, the tools and the instructions take room as well.
  needs: tokens + 1500,
});

export const sizeTasks: readonly ProbeTask[] = [
  ...tasksOf({ group: 'many tools' }, [
    {
      id: 'tools-20',
      title: 'finds one of 20 tools',
      tools: officeTools.slice(0, 20),
      ask: 'Please archive the playlist named Summer.',
      judge: callsExactly({ name: 'archive_playlist', arguments: { name: 'Summer' }, may: ['reason'] }),
    },
    {
      id: 'tools-60',
      title: 'finds one of 60 tools',
      tools: officeTools,
      ask: 'Please share the dashboard named Sales.',
      judge: callsExactly({ name: 'share_dashboard', arguments: { name: 'Sales' }, may: ['reason'] }),
    },
    {
      id: 'tools-60-whole',
      title: 'finds two of 60 tools, in an answer that is not streamed',
      tools: officeTools,
      ask: 'Do both at once, in one reply: archive the device named Lamp, and close the survey named Lunch.',
      stream: false,
      judge: callsExactly(
        { name: 'archive_device', arguments: { name: 'Lamp' }, may: ['reason'] },
        { name: 'close_survey', arguments: { name: 'Lunch' }, may: ['reason'] },
      ),
    },
  ]),
  longTask(4000, { stream: true, file: 'short.txt' }),
  longTask(8000, { stream: false, file: 'middle.txt' }),
  longTask(16_000, { stream: true, file: 'long.txt' }),
];
