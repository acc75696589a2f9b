import fc from 'fast-check';

/** JSON text; schemas are generated as text, so that a value can be put into an `enum` with every digit. */
type Json = string;

/** A place in a schema, with a value that fits it. */
export interface Place {
  readonly schema: Json;
  readonly value: Json;
  /** What the schema refers to: the members of `$defs`. */
  readonly defs: Readonly<Record<string, Json>>;
}

/** Which values places in a schema have. */
export interface PlaceOptions {
  readonly strings: fc.Arbitrary<string>;
  /**
   * Values are as bare text, which is read by its schema: where a string may stand too, only what can be nothing else
   * is another type, and where the schema says nothing, numbers are text. Then no other value is made for such a place.
   */
  readonly bareText: boolean;
}

/** Numbers that a double would change or spell in another way, beside ordinary ones. */
const wholeTexts = ['0', '-0', '7', '-12', '9007199254740993', '-9223372036854775808', '18446744073709551615'];
const longTexts = ['1e400', '-1E-400', '2e+5', '0.1000000000000000055511151231257827', '1.50', '-0.0', '5E0'];
const whole = fc.constantFrom(...wholeTexts);
const anyNumber = fc.oneof(whole, fc.constantFrom(...longTexts));
/** Numbers that stand for nothing else even where a string may stand. */
const plainNumber = fc.constantFrom('0', '7', '-12', '1.5', '-0.25');

/** Names of definitions, some of which a reference has to escape. */
const defNames = ['node', 'a b', 'x/y', 'p%q', 'm~n', 'ü'];

/** Strings that look like something else. */
const lookAlikes = [
  '',
  ' ',
  '5',
  '007',
  '1e3',
  'null',
  'None',
  'true',
  '[1]',
  '{"a":1}',
  '"q"',
  '\n',
  'a\n',
  '\na',
  '\r\n',
];

const leaf = (schema: Json, value: Json): Place => ({ schema, value, defs: {} });

const text = (value: string): Json => JSON.stringify(value);

/** Any string, and those that look like something else. */
function trickyString(strings: fc.Arbitrary<string>): fc.Arbitrary<string> {
  return fc.oneof({ arbitrary: strings, weight: 3 }, { arbitrary: fc.constantFrom(...lookAlikes), weight: 1 });
}

function leaves({ strings, bareText }: PlaceOptions): fc.Arbitrary<Place> {
  const string = trickyString(strings).map(text);
  const number = bareText ? plainNumber : anyNumber;
  const ofType = (type: Json, value: fc.Arbitrary<Json>) => value.map((json) => leaf(`{"type":${type}}`, json));
  const maybe = fc.oneof(string, fc.constant('null'));
  const other = fc.constantFrom('true', 'false', 'null', '[]', '{}', '[1e400, "a"]', '{"a": {"b":null}}');
  const free = bareText ? fc.oneof(string, other) : fc.oneof(string, other, anyNumber);
  return fc.oneof(
    { arbitrary: ofType('"string"', string), weight: 4 },
    ofType('"integer"', whole),
    ofType('"number"', anyNumber),
    ofType('"boolean"', fc.constantFrom('true', 'false')),
    ofType('"null"', fc.constant('null')),
    ofType('["string","null"]', maybe),
    ofType('["integer","null"]', fc.oneof(whole, fc.constant('null'))),
    ofType('["string","number","boolean"]', fc.oneof(string, number, fc.constantFrom('true', 'false'))),
    maybe.map((json) => leaf('{"type":"string","nullable":true}', json)),
    free.map((json) => leaf('{}', json)),
    free.map((json) => leaf('true', json)),
    string.map((json) => leaf(`{"enum":[${json},"other"]}`, json)),
    string.map((json) => leaf(`{"const":${json}}`, json)),
    whole.map((json) => leaf(`{"type":"integer","enum":[${json},3]}`, json)),
    fc.constantFrom('true', 'null', '5').map((json) => leaf(`{"enum":["a",true,null,5]}`, json)),
  );
}

/** Members of a JSON object with unique keys: what the schema says of each, and whether it has a value. */
export interface Member {
  readonly key: string;
  readonly place: Place;
  readonly given: boolean;
  readonly required: boolean;
}

/** At most so many members with these keys, none twice. */
export function members(keys: fc.Arbitrary<string>, place: fc.Arbitrary<Place>, most: number): fc.Arbitrary<Member[]> {
  const member = fc.record({ key: keys, place, given: fc.boolean(), required: fc.boolean() });
  return fc.uniqueArray(member, { maxLength: most, selector: ({ key }) => key });
}

/** An object of these members; `extra` is what else its schema says. */
export function objectPlace(list: readonly Member[], extra = ''): Place {
  const given = list.filter((member) => member.given);
  const required = given.filter((member) => member.required).map(({ key }) => text(key));
  const properties = list.map(({ key, place }) => `${text(key)}:${place.schema}`).join(',');
  const needed = required.length === 0 ? '' : `,"required":[${required.join(',')}]`;
  return {
    schema: `{"type":"object","properties":{${properties}}${needed}${extra}}`,
    value: `{${given.map(({ key, place }) => `${text(key)}:${place.value}`).join(',')}}`,
    defs: joined(list.map(({ place }) => place)),
  };
}

function joined(places: readonly Place[]): Place['defs'] {
  return Object.assign({}, ...places.map(({ defs }) => defs));
}

/** Half of a surrogate pair cannot be in a pointer. */
function wellFormed(name: string): string {
  return Array.from(name, (character) =>
    character.length === 1 && character >= '\ud800' && character <= '\udfff' ? '?' : character,
  ).join('');
}

/** A definition's pointer, with percent and tilde escapes. */
function reference(key: string): Json {
  const pointer = encodeURIComponent(key.replaceAll('~', '~0').replaceAll('/', '~1'));
  return `{"$ref":${text(`#/$defs/${pointer}`)}}`;
}

/** The same place after a reference. What a definition holds is part of its name, so that no two get in each other's way. */
function referTo(name: string, place: Place): Place {
  const key = `${name} ${wellFormed(place.schema)}`;
  return { schema: reference(key), value: place.value, defs: { ...place.defs, [key]: place.schema } };
}

/** A list that holds itself: `{"value":…,"next":{"value":…}}`. */
function recursive(place: Place, depth: number): Place {
  const key = `list ${wellFormed(place.schema)}`;
  const ref = reference(key);
  const value = (left: number): Json =>
    left === 0 ? `{"value":${place.value}}` : `{"value":${place.value},"next":${value(left - 1)},"all":[]}`;
  const schema = `{"type":"object","properties":{"value":${place.schema},"next":${ref},"all":{"type":"array","items":${ref}}}}`;
  return { schema: ref, value: value(depth), defs: { ...place.defs, [key]: schema } };
}

/** Places of every kind, nested a few levels deep. */
export function anyPlace(options: PlaceOptions): fc.Arbitrary<Place> {
  const key = fc.oneof(fc.constantFrom('a', 'b', 'key', 'next'), trickyString(options.strings));
  // Inside lists and objects a value is as JSON, whatever the dialect.
  const inside = { ...options, bareText: false };
  const { nested } = fc.letrec<{ nested: Place; below: Place }>((tie) => ({
    below: fc.oneof({ maxDepth: 2, withCrossShrink: true }, leaves(inside), tie('nested')),
    nested: fc.oneof(
      fc.array(tie('below'), { maxLength: 3 }).map((items) => listPlace(items)),
      members(key, tie('below'), 3).map((list) => objectPlace(list)),
      tie('below').map((place) => ({
        ...place,
        schema: `{"type":"object","additionalProperties":${place.schema}}`,
        value: `{"any":${place.value}}`,
      })),
      fc.tuple(tie('below'), fc.nat(3)).map(([place, depth]) => recursive(place, depth)),
    ),
  }));
  const flat = fc.oneof({ arbitrary: leaves(options), weight: 4 }, { arbitrary: nested, weight: 2 });
  return fc.oneof(
    { arbitrary: flat, weight: 5 },
    { arbitrary: fc.tuple(fc.constantFrom(...defNames), flat).map(([name, place]) => referTo(name, place)), weight: 1 },
    {
      arbitrary: fc.tuple(nested, fc.constantFrom('anyOf', 'oneOf')).map(([place, word]) => oneOf(place, word)),
      weight: 1,
    },
    {
      arbitrary: flat.map((place) => ({ ...place, schema: `{"allOf":[${place.schema},{"description":"x"}]}` })),
      weight: 1,
    },
  );
}

function listPlace(items: readonly Place[]): Place {
  const schemas = items.map(({ schema }) => schema);
  return {
    schema: `{"type":"array","prefixItems":[${schemas.join(',')}]}`,
    value: `[${items.map(({ value }) => value).join(',')}]`,
    defs: joined(items),
  };
}

/** The place or something that no list and no object is. */
function oneOf(place: Place, word: string): Place {
  return { ...place, schema: `{${text(word)}:[{"type":"boolean"},${place.schema},{"type":"null"}]}` };
}
