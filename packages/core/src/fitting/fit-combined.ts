import { type Keywords, list, own } from '../arguments/schema-document.ts';
import type { Evaluated } from './evaluated.ts';
import type { Fitting, Looked } from './fitting.ts';
import { depthOf, type Misfit, misfitAt } from './misfit.ts';

/** Whether a value fits what its schema puts together of other schemas. */
export function fitCombined(
  node: Keywords,
  looked: Looked,
  fitting: Fitting,
  evaluated?: Evaluated,
): Misfit | undefined {
  for (const schema of list(node, 'allOf')) {
    const found = fitting.fit(schema, looked, evaluated);
    if (found !== undefined) return found;
  }
  return (
    fitAlternatives(node, looked, fitting, evaluated) ??
    fitNot(node, looked, fitting) ??
    fitCondition(node, looked, fitting, evaluated)
  );
}

function fitAlternatives(node: Keywords, looked: Looked, fitting: Fitting, evaluated?: Evaluated): Misfit | undefined {
  for (const keyword of ['anyOf', 'oneOf']) {
    const alternatives = list(node, keyword);
    if (alternatives.length === 0) continue;
    const misfits: Misfit[] = [];
    for (const schema of alternatives) {
      const found = fitting.fit(schema, looked, evaluated);
      if (found !== undefined) misfits.push(found);
      // One that fits is enough, unless others must not, or describe members.
      else if (keyword === 'anyOf' && evaluated === undefined) break;
    }
    const fitted = alternatives.length - misfits.length;
    if (keyword === 'oneOf' && misfits.length < alternatives.length - 1) {
      return misfitAt(looked.place, `must fit exactly one of ${alternatives.length} alternatives, not ${fitted}`);
    }
    if (fitted === 0) return nearest(misfits, looked);
  }
  return undefined;
}

/** The alternative that was meant is most likely the one that fits furthest down. */
function nearest(misfits: readonly Misfit[], { place }: Looked): Misfit | undefined {
  const [first, ...others] = misfits.toSorted((one, other) => depthOf(other.place) - depthOf(one.place));
  if (first === undefined || depthOf(first.place) > depthOf(place)) return first;
  const problems = [...new Set([first, ...others].map(({ problem }) => problem))].slice(0, 4);
  return misfitAt(place, problems.join(', or '));
}

function fitNot(node: Keywords, looked: Looked, fitting: Fitting): Misfit | undefined {
  if (!Object.hasOwn(node, 'not') || fitting.fit(own(node, 'not'), looked) !== undefined) return undefined;
  return misfitAt(looked.place, 'is what its schema forbids');
}

function fitCondition(node: Keywords, looked: Looked, fitting: Fitting, evaluated?: Evaluated): Misfit | undefined {
  if (!Object.hasOwn(node, 'if')) return undefined;
  const holds = fitting.fit(own(node, 'if'), looked, evaluated) === undefined;
  const schema = own(node, holds ? 'then' : 'else');
  return schema === undefined ? undefined : fitting.fit(schema, looked, evaluated);
}
