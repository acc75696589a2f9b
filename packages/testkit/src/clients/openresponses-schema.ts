import { existsSync, readFileSync } from 'node:fs';
import { Ajv } from 'ajv';

/** Where the published schema of OpenResponses lies beside a checkout. It is not ours, so it is not part of it. */
const place = new URL('../../../../../shared/openresponses/openapi.json', import.meta.url);

type SchemaCheck = (value: unknown) => string[];

/** Checks against the published schema. Both answer with the mistakes, in words. */
export interface OpenresponsesSchema {
  /** A value under the name that the schema gives it, such as `ResponseResource`. */
  check(name: string, value: unknown): string[];
  /** Every event of a recorded stream. */
  checkStream(stream: string): string[];
  /** The schemas themselves, by name. */
  readonly schemas: Readonly<Record<string, unknown>>;
}

/** The published schema of OpenResponses; `undefined`, with a warning, where it is not at hand, as in a bare checkout. */
export function loadOpenresponsesSchema(): OpenresponsesSchema | undefined {
  if (!existsSync(place)) {
    process.emitWarning('The published schema of OpenResponses is not at hand: only our own checks of it run.');
    return undefined;
  }
  const document = JSON.parse(readFileSync(place, 'utf8'));
  const ajv = new Ajv({ strict: false, allErrors: true });
  ajv.addSchema(document, 'openresponses');
  const checks = new Map<string, SchemaCheck>();
  const check = (name: string, value: unknown): string[] => {
    const known = checks.get(name) ?? compile(ajv, name);
    checks.set(name, known);
    return known(value);
  };
  const eventNames = namesOfEvents(document.components.schemas);
  return {
    check,
    schemas: document.components.schemas,
    checkStream: (stream) =>
      eventsOf(stream).flatMap((event, at) => {
        const name = eventNames.get(event.type);
        if (name === undefined) return [`event ${at}: the schema knows no ${event.type}`];
        return check(name, event).map((mistake) => `event ${at} (${event.type}): ${mistake}`);
      }),
  };
}

function compile(ajv: Ajv, name: string): SchemaCheck {
  const validate = ajv.compile({ $ref: `openresponses#/components/schemas/${name}` });
  return (value) => {
    if (validate(value)) return [];
    return (validate.errors ?? []).map(({ instancePath, message }) => `${instancePath} ${message}`);
  };
}

function namesOfEvents(
  schemas: Readonly<Record<string, { readonly properties?: { readonly type?: { readonly enum?: string[] } } }>>,
): ReadonlyMap<string, string> {
  const names = Object.keys(schemas).filter((name) => name.endsWith('StreamingEvent'));
  return new Map(names.map((name) => [schemas[name]?.properties?.type?.enum?.[0] ?? '', name]));
}

function eventsOf(stream: string): readonly { readonly type: string }[] {
  return stream
    .split('\n')
    .filter((line) => line.startsWith('data: {'))
    .map((line) => JSON.parse(line.slice('data: '.length)));
}
