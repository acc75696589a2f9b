import { type Shape, shapeOf } from './shape.ts';
import { stem, stemsOf } from './words.ts';

/** What kind of thing in a request a parameter wants. */
export type Role = 'url' | 'path' | 'command' | 'query' | 'old' | 'new' | 'content' | 'place' | 'note' | 'other';

const words = (list: string): ReadonlySet<string> => new Set(list.split(' ').map(stem));

/** In the order in which they are tried: `file_content` is content, `search_path` a path. */
const rolesByName: readonly (readonly [Role, ReadonlySet<string>])[] = [
  ['note', words('description reason explanation purpose intent summary thought rationale justification')],
  ['old', words('old before original')],
  ['new', words('new after replacement replace')],
  ['content', words('content contents body text data message markdown')],
  ['url', words('url uri link href website')],
  ['path', words('path file filepath filename dir directory folder source destination target src dest cwd workdir')],
  ['command', words('command cmd script shell')],
  ['place', words('city location place country town region')],
  ['query', words('query pattern regex search term keyword keywords q glob question prompt topic expression phrase')],
];

/** Reads a parameter's role off its name, or failing that off the first words of its description. */
function roleOf(name: string, description: string): Role {
  const byName = firstRole(new Set(stemsOf(name)));
  if (byName !== undefined) return byName;
  const early = new Set(stemsOf(description.slice(0, 80)));
  return early.has('path') ? 'path' : early.has('url') ? 'url' : early.has('command') ? 'command' : 'other';
}

function firstRole(stems: ReadonlySet<string>): Role | undefined {
  for (const [role, list] of rolesByName) for (const word of stems) if (list.has(word)) return role;
  return undefined;
}

/** A tool's parameter with what is known of it. */
export interface Parameter {
  readonly name: string;
  readonly shape: Shape;
  readonly role: Role;
  readonly required: boolean;
}

/** The parameters of an object schema, in its order. */
export function parametersOf(schema: unknown, root: unknown): Parameter[] {
  const { properties, required } = shapeOf(schema, root);
  return Object.entries(properties).map(([name, property]) => {
    const shape = shapeOf(property, root);
    return { name, shape, role: roleOf(name, shape.description), required: required.has(name) };
  });
}
