import {
  alsoReadBy,
  anyDialect,
  type Dialect,
  type DialectFacts,
  dialectFacts,
  dialectSample,
  dialects,
  knownForms,
  knownModels,
  taughtDialect,
} from '@dragoman/core';
import { harmless, harmlessLines } from '../log/harmless.ts';
import { columns } from './columns.ts';
import { readDialects } from './read-dialects.ts';
import { CommandError, type Terminal } from './terminal.ts';

export interface DialectFlags {
  readonly config?: string;
  readonly json?: boolean;
}

/** `dragoman dialects <id>`: all that is known of one, with what it writes. Throws CommandError for one that there is not. */
export function showDialect(terminal: Terminal, id: string, { json, config }: DialectFlags): number {
  const known = readDialects(terminal, config === undefined ? {} : { config });
  const dialect = known.find(id);
  if (id === anyDialect) {
    throw new CommandError(
      `"${id}" is not a dialect of its own: calls in every dialect are read, and the model is taught the one that its name tells, else ${taughtDialect}.`,
    );
  }
  const own = known.own.has(dialect.id);
  terminal.stdout.write(
    `${json === true ? JSON.stringify(asJson(dialect, own), undefined, 2) : printed(dialect, own)}\n`,
  );
  return 0;
}

function asJson(dialect: Dialect, own: boolean): object {
  const source = knownForms.get(dialect.id)?.source;
  return {
    ...dialectFacts(dialect),
    own,
    ...(source === undefined ? {} : { publishedIn: source }),
    alsoReads: alsoReadBy(dialect, dialects.values()).map(({ id }) => id),
    writes: dialectSample(dialect),
    ...('table' in dialect ? { table: dialect.table } : {}),
  };
}

function printed(dialect: Dialect, own: boolean): string {
  const { id } = dialect;
  const facts = dialectFacts(dialect);
  const { call, result, tools } = dialectSample(dialect);
  const folder = `packages/core/src/dialects/${id}`;
  const rows: readonly (readonly [string, string])[] = [
    ['form', facts.summary],
    ...(own ? [['from', 'the configuration'] as const] : []),
    ...publishedIn(id),
    ['calls', callsOf(facts)],
    ...(own ? [] : modelsOf(id)),
    [
      'also reads',
      alsoReadBy(dialect, dialects.values())
        .map((other) => other.id)
        .join(', ') || 'no other form',
    ],
    ['rule', `"toolCalling": ${JSON.stringify({ dialect: id })}`],
    ...(own ? [] : [['described in', `${folder}/README.md, with cases in ${folder}/cases`] as const]),
  ];
  return [
    harmless(id),
    columns(rows)
      .map((line) => `  ${line}`)
      .join('\n'),
    `──── a call\n${harmlessLines(call)}`,
    `──── its result\n${harmlessLines(result)}`,
    `──── what teaches the tool\n${harmlessLines(tools)}`,
  ].join('\n\n');
}

function callsOf({ form, ids, parallel, streams }: DialectFacts): string {
  return [
    `form ${form ?? 'of its own'}`,
    ids ? 'the model gives them ids' : 'without ids',
    parallel ? 'several in a reply' : 'one in a reply',
    streams ? 'text in arguments streams' : 'arguments come whole',
  ].join(', ');
}

function publishedIn(id: string): readonly (readonly [string, string])[] {
  const source = knownForms.get(id)?.source;
  return source === undefined ? [] : [['published in', source]];
}

/** Parts of names; servers read the form of some models themselves, so that their names count only where tools are not taken. */
function modelsOf(id: string): readonly (readonly [string, string])[] {
  const known = knownModels.filter(({ dialect }) => dialect === id);
  const named = (readByServers: boolean) =>
    known.filter((each) => (each.readByServers ?? false) === readByServers).map(({ part }) => part);
  const [always, toolless] = [named(false), named(true)];
  return [
    ...(always.length === 0 ? [] : [['models', `named like ${always.join(', ')}`] as const]),
    ...(toolless.length === 0 ? [] : [['without tools', `named like ${toolless.join(', ')}`] as const]),
  ];
}

/** So many models of a dialect are named in the table. */
const mostModels = 3;

/** The facts of a dialect, and whether it is one of the configuration. */
interface ListedDialect extends DialectFacts {
  readonly own: boolean;
}

/** `dragoman dialects`: what each can say, as a table or as JSON. Those of the configuration come first. */
export function listDialects(terminal: Terminal, { json, config }: DialectFlags): number {
  const { stdout } = terminal;
  const { own } = readDialects(terminal, config === undefined ? {} : { config });
  const facts = [
    ...[...own.values()].map((dialect) => ({ ...dialectFacts(dialect), own: true })),
    ...[...dialects.values()].map((dialect) => ({ ...dialectFacts(dialect), own: false })),
  ];
  if (json === true) {
    stdout.write(`${JSON.stringify(facts)}\n`);
    return 0;
  }
  const rows = [['id', 'form', 'ids', 'parallel', 'streams', 'models', 'a call'], ...facts.map(rowOf)];
  for (const line of columns(rows)) stdout.write(`${line}\n`);
  return 0;
}

function rowOf({ id, form = '', ids, parallel, streams, models, summary, own }: ListedDialect): readonly string[] {
  const more = models.length > mostModels ? ` +${models.length - mostModels}` : '';
  const named = models.slice(0, mostModels).join(', ') + more;
  return [id, form, yes(ids), yes(parallel), yes(streams), own ? 'of the configuration' : named, summary];
}

function yes(holds: boolean): string {
  return holds ? 'yes' : '-';
}
