import { harmless } from '../log/harmless.ts';
import type { RecordBody, RecordedCall, RecordHead } from './exchange-record.ts';
import { outline } from './write-outline.ts';

/** Writes records of a conversation one after the other. What the model saw before already is told by its number of lines. */
export class ContextWriter {
  #conversation = '';
  #seen: readonly string[] = [];
  #seenStep = 0;

  /** The lines of one record. */
  write(record: RecordHead): string {
    const { conversation, said } = record;
    const lines: string[] = [];
    if (conversation.id !== this.#conversation) {
      this.#conversation = conversation.id;
      this.#seen = [];
      lines.push(conversationLine(record), '');
    }
    lines.push(...headLines(record), '');
    if (said === undefined) lines.push('What was said was not recorded: "records.level" was "metadata".', '');
    else lines.push(...this.#saw(said, conversation.step), '', ...saidLines(said, record), '');
    return `${lines.join('\n')}\n`;
  }

  #saw({ sent, gaps }: RecordBody, step: number): readonly string[] {
    const last = sent.at(-1);
    if (last === undefined) return ['saw: nothing was sent'];
    const body = bodyLines(last.body);
    const same = commonLines(this.#seen, body);
    const told = same > 3 ? [`  … ${same} lines as in step ${this.#seenStep}`, ...body.slice(same)] : body;
    this.#seen = body;
    this.#seenStep = step;
    const cut = gaps.filter(({ part }) => part.endsWith('.body'));
    return [
      `saw: ${last.method} ${harmless(last.path)}`,
      ...told,
      ...cut.map(({ part, missing }) => `  (${part}: ${missing} characters more were not kept)`),
    ];
  }
}

function conversationLine({ conversation: { id, identity, upstream } }: RecordHead): string {
  const names = [
    `conversation ${id}`,
    ...(identity === undefined ? [] : [`the client calls it ${harmless(identity)}`]),
    ...(upstream?.id === undefined ? [] : [`the upstream ${harmless(upstream.id)}`]),
  ];
  return names.join(' · ');
}

function headLines(record: RecordHead): readonly string[] {
  const { conversation, plan, usage, error, upstreamReplyId } = record;
  const ids = [
    `record ${record.id}`,
    `request ${record.requestId}`,
    `reply …${record.replyId}`,
    ...(upstreamReplyId === undefined ? [] : [`at the upstream ${upstreamReplyId}`]),
    ...(conversation.parent === undefined ? [] : [`goes on from ${conversation.parent}`]),
    ...(conversation.upstream?.parent === undefined ? [] : [`after ${conversation.upstream.parent} of the upstream`]),
  ];
  const numbers = [
    `status ${record.status}`,
    ...(record.finish === undefined ? [] : [record.finish]),
    `${record.ms} ms`,
    ...(record.firstEvent === undefined ? [] : [`first event after ${record.firstEvent} ms`]),
    ...(usage === undefined ? [] : [`${usage.inputTokens} tokens in, ${usage.outputTokens} out (${usage.source})`]),
    ...(record.relayed === true ? ['passthrough'] : []),
  ];
  return [
    `──── step ${conversation.step} · ${record.at}${record.key === undefined ? '' : ` · key ${record.key}`}`,
    harmless(
      `${record.model} over ${record.wire} → ${plan.upstream}: ${plan.model} over ${plan.wire}, ${plan.toolCalling}`,
    ),
    harmless(ids.join(' · ')),
    numbers.join(' · '),
    ...(error === undefined ? [] : [harmless(`error ${error.code} ${error.id ?? ''}: ${error.message ?? ''}`)]),
    ...Object.entries(record.warnings ?? {}).map(
      ([code, count]) => `warning ${code}${count > 1 ? ` (${count} times)` : ''}`,
    ),
  ];
}

/** What the model said, block by block. */
function saidLines({ events, calls, gaps }: RecordBody, { error }: RecordHead): readonly string[] {
  const lines = ['said:'];
  const left = [...calls];
  for (const event of events) {
    const { type, text } = event;
    if (type === 'text-delta' || type === 'reasoning-delta') {
      lines.push(...labelled(type === 'text-delta' ? 'text' : 'reasoning', String(text)));
    } else if (type === 'tool-call-end') {
      const call = left.shift();
      if (call !== undefined) lines.push(...callLines(call));
    } else if (type === 'tool-call-cut') lines.push('  a call that broke off');
  }
  if (lines.length === 1) lines.push(error === undefined ? '  nothing' : '  nothing before the error');
  const missing = gaps.filter(({ part }) => part === 'events');
  return [...lines, ...missing.map((gap) => `  (${gap.missing} characters more were not kept)`)];
}

function callLines({ id, nativeId, upstreamId, name, arguments: text }: RecordedCall): readonly string[] {
  const other = [
    ...(nativeId === undefined ? [] : [`the model wrote ${nativeId}`]),
    ...(upstreamId === undefined || upstreamId === id ? [] : [`the upstream ${upstreamId}`]),
  ];
  const ids = other.length === 0 ? id : `${id} (${other.join(', ')})`;
  return [harmless(`  call ${name} ${ids}`), ...text.split('\n').map((line) => `    ${harmless(line)}`)];
}

function labelled(label: string, text: string): readonly string[] {
  return [`  ${label} |`, ...text.split('\n').map((line) => `    ${harmless(line)}`)];
}

function bodyLines(text: string): readonly string[] {
  try {
    return outline(JSON.parse(text), '  ');
  } catch {
    // It was cut, or is no JSON.
    return text.split('\n').map((line) => `  ${harmless(line)}`);
  }
}

function commonLines(before: readonly string[], now: readonly string[]): number {
  let at = 0;
  while (at < before.length && at < now.length && before[at] === now[at]) at += 1;
  return at;
}
