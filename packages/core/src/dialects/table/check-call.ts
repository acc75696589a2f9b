import { headerForm } from '../forms/header/header-form.ts';
import { argumentAliases, commonKeys, nameAliases } from '../forms/json/call-keys.ts';
import { checkTagged } from './check-tagged.ts';
import { endsName, isWordSign } from './marker-signs.ts';
import type { PlainCall, PlainGemma, PlainHeader, PlainJson, PlainTable } from './plain-table.ts';
import type { TableProblem } from './table-shape.ts';

/** Whether the form can tell where a call, its name and its arguments begin and end. */
export function checkCall({ call, section, reasoning, result }: PlainTable): readonly TableProblem[] {
  const blank = (path: readonly string[], text: string | undefined, reason: string) =>
    text === undefined || text.trim() !== '' ? [] : [{ path, reason }];
  const { block } = call;
  return [
    ...checkOpener(call),
    ...(call.form === 'json' ? checkKeys(call) : []),
    ...(call.form === 'header' ? checkHeader(call) : []),
    ...(call.form === 'tags' ? checkTagged(call) : []),
    ...(call.form === 'gemma' ? checkQuote(call) : []),
    ...checkBetween(call),
    ...blank(['section', 'opener'], section?.opener, 'must not be empty'),
    ...blank(['call', 'block', 'opener'], block?.opener, 'must not be empty'),
    ...blank(['result', 'opener'], result?.opener, 'must not be empty: it tells a result from a message'),
    ...blank(['reasoning', 'opener'], reasoning?.opener, 'must not be empty'),
    ...blank(['reasoning', 'closer'], reasoning?.closer, 'must say what ends the thinking, such as "</think>"'),
  ];
}

function checkOpener(call: PlainCall): readonly TableProblem[] {
  const problem = (key: string, reason: string) => [{ path: ['call', key], reason }];
  if (call.form === 'named-tags') return [];
  const first = call.opener.trim().charAt(0);
  if (call.form === 'python' && (first === '"' || first === "'")) {
    return problem(
      'opener',
      'must not begin with a quotation mark, which would end a string in a call: write a sign such as "<"',
    );
  }
  if (first !== '') return [];
  const isBare =
    (call.form === 'json' && call.keyed !== true && call.grouping !== 'sequence') ||
    (call.form === 'python' && call.grouping === 'list');
  if (isBare) {
    return call.closer.trim() === ''
      ? []
      : problem('closer', 'must be empty where no opener stands in front of a call');
  }
  return problem(
    'opener',
    call.form === 'json'
      ? 'must not be empty: without a marker and a key for the name nothing tells a call'
      : 'must not be empty: write the marker that stands in front of a call',
  );
}

/** Each key has to say one thing alone, also under the names that every dialect knows. */
function checkKeys({ keys, keyed }: PlainJson): readonly TableProblem[] {
  if (keys === undefined) return [];
  if (keyed === true)
    return [{ path: ['call', 'keys'], reason: 'must be left out: with "keyed" the one key is the name' }];
  const meanings = {
    name: [keys.name ?? commonKeys.name, commonKeys.name, ...nameAliases],
    arguments: [keys.arguments ?? commonKeys.arguments, ...argumentAliases],
    id: [keys.id ?? commonKeys.id, commonKeys.id],
  };
  return (['name', 'arguments', 'id'] as const).flatMap((key) => {
    const own = keys[key];
    if (own === undefined) return [];
    const path = ['call', 'keys', key];
    if (own === '') return [{ path, reason: 'must not be empty' }];
    if (own === 'type') return [{ path, reason: 'must not be "type", which says nothing in a call' }];
    const other = (['name', 'arguments', 'id'] as const).find((each) => each !== key && meanings[each].includes(own));
    if (other === undefined) return [];
    return [{ path, reason: `${JSON.stringify(own)} is read as the ${other}, too: each needs a key of its own` }];
  });
}

function checkHeader({ header = '{name}', separator }: PlainHeader): readonly TableProblem[] {
  const wrong = (key: string, reason: string) => [{ path: ['call', key], reason }];
  const { slots, between } = headerForm(header);
  if (slots.filter((slot) => slot === 'name').length !== 1) {
    return wrong('header', 'must hold {name} once, where the name of the tool stands');
  }
  if (header.includes('}{')) return wrong('header', 'needs a literal between two of {name}, {id} and {index}');
  if (new Set(slots).size < slots.length) return wrong('header', 'must hold {id} and {index} only once');
  if (slots.includes('id') && slots.includes('index')) {
    return wrong('header', 'must not hold both {id} and {index}: a header with an index is itself the id');
  }
  const open = between.find((text, at) => slots[at + 1] !== 'index' && !endsName(text));
  if (open !== undefined) {
    return wrong('header', `${JSON.stringify(open)} may stand in a name: write a sign such as "[" or "|" there`);
  }
  if (separator.includes('{')) return wrong('separator', 'must end in front of the brace that opens the arguments');
  if (separator.trim() !== '' && !endsName(separator)) {
    return wrong(
      'separator',
      `${JSON.stringify(separator)} may stand in a name: write a sign such as ">" or "|" there`,
    );
  }
  return [];
}

/** What opens a string may open no other value. */
function checkQuote({ quote }: PlainGemma): readonly TableProblem[] {
  const path = ['call', 'quote'];
  if (quote.trim() === '') return [{ path, reason: 'must be the token on both sides of a string' }];
  const first = quote.trim().charAt(0);
  if (!'[{("\'-'.includes(first) && !isWordSign(first)) return [];
  return [{ path, reason: 'begins as another value does: write a token that begins with a sign such as "<"' }];
}

/** What stands between two calls may be read as no text. */
function checkBetween(call: PlainCall): readonly TableProblem[] {
  const { between } = call;
  if (between === undefined) return [];
  const grouping = 'grouping' in call ? (call.grouping ?? 'each') : 'each';
  const said = between.trim();
  const isBare = call.opener.trim() === '';
  const problem = (reason: string) => [{ path: ['call', 'between'], reason }];
  if (grouping === 'list') return said === ',' ? [] : problem('must be a comma, with white space around it, in a list');
  const allowed = call.form === 'json' && (grouping === 'sequence' || isBare) ? ['', ',', ';'] : [''];
  if (!allowed.includes(said)) {
    return problem(
      allowed.length > 1
        ? 'must be white space, with a comma or a semicolon in it or none'
        : 'must be white space alone',
    );
  }
  return said === '' && between === '' && call.form === 'python' && grouping === 'sequence'
    ? problem('must not be empty: a newline stands between two calls')
    : [];
}
