import { quoteName } from '../chat/warning.ts';
import type { Evaluated } from './evaluated.ts';
import type { Fitting, Looked } from './fitting.ts';
import { inside, type Misfit, misfitAt } from './misfit.ts';
import { isKeywords, type Keywords, list, own } from './schema-document.ts';

type Members = Looked<Keywords>;

/** Whether an object has the members that its schema asks for. */
export function fitObject(
  node: Keywords,
  looked: Members,
  fitting: Fitting,
  evaluated?: Evaluated,
): Misfit | undefined {
  return (
    fitNames(node, looked, fitting) ??
    fitMembers(node, looked, fitting, evaluated) ??
    fitDependents(node, looked, fitting, evaluated)
  );
}

function fitNames(node: Keywords, { value, place }: Members, fitting: Fitting): Misfit | undefined {
  const required = list(node, 'required');
  fitting.spend(required.length / 8);
  const missing = required.find((name) => typeof name === 'string' && !Object.hasOwn(value, name));
  if (typeof missing === 'string') return misfitAt(place, `lacks ${quoteName(missing)}`);
  const names = Object.keys(value);
  fitting.spend(names.length / 8);
  const [least, most] = [own(node, 'minProperties'), own(node, 'maxProperties')];
  if (typeof least === 'number' && names.length < least) return misfitAt(place, `must have at least ${least} members`);
  if (typeof most === 'number' && names.length > most) return misfitAt(place, `must have at most ${most} members`);
  const schema = own(node, 'propertyNames');
  if (schema === undefined) return undefined;
  const wrong = names.find((name) => fitting.fit(schema, { value: name, place }) !== undefined);
  return wrong === undefined ? undefined : misfitAt(place, `may have no member of the name ${quoteName(wrong)}`);
}

function fitMembers(node: Keywords, looked: Members, fitting: Fitting, evaluated?: Evaluated): Misfit | undefined {
  const named = own(node, 'properties');
  const patterned = own(node, 'patternProperties');
  const others = own(node, 'additionalProperties');
  const patterns = isKeywords(patterned) ? Object.entries(patterned) : [];
  for (const [key, value] of Object.entries(looked.value)) {
    fitting.spend(1 + patterns.length / 8);
    const member = { value, place: inside(looked.place, key) };
    const said = patterns.map(([pattern, schema]) => ({ schema, matches: fitting.matches(pattern, key) }));
    const schemas: unknown[] = said.flatMap(({ schema, matches }) => (matches === true ? [schema] : []));
    if (isKeywords(named) && Object.hasOwn(named, key)) schemas.push(named[key]);
    // A pattern that cannot be checked may speak of it.
    const isDoubtful = said.some(({ matches }) => matches === undefined);
    if (isDoubtful) fitting.doubt();
    if (schemas.length === 0 && others !== undefined && !isDoubtful) {
      if (others === false) return misfitAt(member.place, 'is not allowed');
      schemas.push(others);
    }
    for (const schema of schemas) {
      const found = fitting.fit(schema, member);
      if (found !== undefined) return found;
    }
    if (schemas.length > 0 || isDoubtful) evaluated?.add(key);
  }
  return undefined;
}

/** Members that others need beside them. Before 2019-09 one keyword, `dependencies`, said both. */
function fitDependents(node: Keywords, looked: Members, fitting: Fitting, evaluated?: Evaluated): Misfit | undefined {
  for (const keyword of ['dependentRequired', 'dependentSchemas', 'dependencies']) {
    const dependents = own(node, keyword);
    if (!isKeywords(dependents)) continue;
    for (const [key, needs] of Object.entries(dependents)) {
      fitting.spend();
      if (!Object.hasOwn(looked.value, key)) continue;
      const found = Array.isArray(needs)
        ? fitNames({ required: needs }, looked, fitting)
        : fitting.fit(needs, looked, evaluated);
      if (found !== undefined) return found;
    }
  }
  return undefined;
}
