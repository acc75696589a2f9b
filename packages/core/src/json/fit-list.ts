import { canonicalText } from './equal-json.ts';
import type { Evaluated } from './evaluated.ts';
import type { Fitting, Looked } from './fitting.ts';
import { inside, type Misfit, misfitAt } from './misfit.ts';
import { isKeywords, type Keywords, list, own } from './schema-document.ts';

type List = Looked<readonly unknown[]>;

/** Whether a list has the items that its schema asks for. */
export function fitList(node: Keywords, looked: List, fitting: Fitting, evaluated?: Evaluated): Misfit | undefined {
  return (
    fitLength(node, looked) ??
    fitItems(node, looked, fitting, evaluated) ??
    fitContained(node, looked, fitting, evaluated) ??
    fitUnique(node, looked, fitting)
  );
}

function fitLength(node: Keywords, { value, place }: List): Misfit | undefined {
  const [least, most] = [own(node, 'minItems'), own(node, 'maxItems')];
  if (typeof least === 'number' && value.length < least) return misfitAt(place, `must have at least ${least} items`);
  if (typeof most === 'number' && value.length > most) return misfitAt(place, `must have at most ${most} items`);
  return undefined;
}

function fitItems(node: Keywords, looked: List, fitting: Fitting, evaluated?: Evaluated): Misfit | undefined {
  // Before 2020-12 a tuple was a list under `items`, and `additionalItems` was the rest.
  const items = own(node, 'items');
  const tuple = Array.isArray(items) ? items : list(node, 'prefixItems');
  const rest = Array.isArray(items) ? own(node, 'additionalItems') : items;
  for (const [index, value] of looked.value.entries()) {
    const schema: unknown = index < tuple.length ? tuple[index] : rest;
    if (schema === undefined) break;
    const found = fitting.fit(schema, { value, place: inside(looked.place, index) });
    if (found !== undefined) return found;
    evaluated?.add(index);
  }
  return undefined;
}

function fitContained(node: Keywords, looked: List, fitting: Fitting, evaluated?: Evaluated): Misfit | undefined {
  const schema = own(node, 'contains');
  if (!isKeywords(schema) && typeof schema !== 'boolean') return undefined;
  const [least, most] = [own(node, 'minContains'), own(node, 'maxContains')];
  // Those that fit for certain, and those that may.
  let count = 0;
  let possible = 0;
  for (const [index, value] of looked.value.entries()) {
    const { fits } = fitting.judge(schema, { value, place: looked.place });
    if (fits === 'no') continue;
    possible += 1;
    if (fits === 'yes') count += 1;
    evaluated?.add(index);
  }
  const needed = typeof least === 'number' ? least : 1;
  const allowed = typeof most === 'number' ? most : Number.POSITIVE_INFINITY;
  if (possible < needed)
    return misfitAt(looked.place, `must contain ${needed} items of a certain kind, not ${possible}`);
  if (count > allowed)
    return misfitAt(looked.place, `must contain at most ${allowed} items of a certain kind, not ${count}`);
  if (count < needed || possible > allowed) fitting.doubt();
  return undefined;
}

function fitUnique(node: Keywords, { value, place }: List, fitting: Fitting): Misfit | undefined {
  if (own(node, 'uniqueItems') !== true) return undefined;
  const seen = new Map<string, number>();
  for (const [index, item] of value.entries()) {
    const text = canonicalText(item, fitting.spend);
    const first = seen.get(text);
    if (first !== undefined) return misfitAt(inside(place, index), `must differ from item ${first}`);
    seen.set(text, index);
  }
  return undefined;
}
