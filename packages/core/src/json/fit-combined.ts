import type { Evaluated, Fitting, Looked } from './fitting.ts';
import { depthOf, type Misfit, misfitAt } from './misfit.ts';
import { type Keywords, listMember, ownMember } from './schema-document.ts';

/** Whether a value fits what its schema puts together of other schemas. */
export function fitCombined(
  node: Keywords,
  looked: Looked,
  fitting: Fitting,
  evaluated?: Evaluated,
): Misfit | undefined {
  for (const schema of listMember(node, 'allOf')) {
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
  return fitAny(node, looked, fitting, evaluated) ?? fitOne(node, looked, fitting, evaluated);
}

function fitAny(node: Keywords, looked: Looked, fitting: Fitting, evaluated?: Evaluated): Misfit | undefined {
  const alternatives = listMember(node, 'anyOf');
  const misfits: Misfit[] = [];
  let isCertain = false;
  for (const schema of alternatives) {
    const decision = fitting.judge(schema, looked, evaluated);
    if (decision.fits === 'no') misfits.push(decision.misfit);
    isCertain ||= decision.fits === 'yes';
    // One that fits is enough, unless others describe members.
    if (isCertain && evaluated === undefined) return undefined;
  }
  if (alternatives.length > 0 && misfits.length === alternatives.length) return nearest(misfits, looked);
  if (alternatives.length > 0 && !isCertain) fitting.doubt();
  return undefined;
}

function fitOne(node: Keywords, looked: Looked, fitting: Fitting, evaluated?: Evaluated): Misfit | undefined {
  const alternatives = listMember(node, 'oneOf');
  if (alternatives.length === 0) return undefined;
  const misfits: Misfit[] = [];
  let certain = 0;
  for (const schema of alternatives) {
    const decision = fitting.judge(schema, looked, evaluated);
    if (decision.fits === 'no') misfits.push(decision.misfit);
    else if (decision.fits === 'yes') certain += 1;
  }
  if (certain > 1) {
    return misfitAt(looked.place, `must fit exactly one of ${alternatives.length} alternatives, not ${certain}`);
  }
  if (misfits.length === alternatives.length) return nearest(misfits, looked);
  if (misfits.length + certain < alternatives.length) fitting.doubt();
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
  if (!Object.hasOwn(node, 'not')) return undefined;
  const { fits } = fitting.judge(ownMember(node, 'not'), looked);
  if (fits === 'perhaps') fitting.doubt();
  return fits === 'yes' ? misfitAt(looked.place, 'is what its schema forbids') : undefined;
}

function fitCondition(node: Keywords, looked: Looked, fitting: Fitting, evaluated?: Evaluated): Misfit | undefined {
  if (!Object.hasOwn(node, 'if')) return undefined;
  const { fits } = fitting.judge(ownMember(node, 'if'), looked, evaluated);
  const fitBranch = (keyword: 'then' | 'else') => {
    const schema = ownMember(node, keyword);
    return schema === undefined ? undefined : fitting.fit(schema, looked, evaluated);
  };
  if (fits !== 'perhaps') return fitBranch(fits === 'yes' ? 'then' : 'else');
  const [one, other] = [fitBranch('then'), fitBranch('else')];
  if (one === undefined || other === undefined) fitting.doubt();
  return other === undefined ? undefined : one;
}
