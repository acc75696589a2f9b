import { z } from 'zod';
import { tableDefinitions } from './dialect-schema.ts';
import type { PathStep } from './problem.ts';
import { configSchema } from './schema.ts';

/** The part of JSON Schema that our own schemas use. */
export interface SchemaNode {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly description?: string;
  readonly default?: unknown;
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly required?: readonly string[];
  readonly properties?: Readonly<Record<string, SchemaNode>>;
  readonly additionalProperties?: boolean | SchemaNode;
  readonly items?: SchemaNode;
  readonly minItems?: number;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly anyOf?: readonly SchemaNode[];
  /** Told apart by a field of theirs. */
  readonly oneOf?: readonly SchemaNode[];
}

/** The published JSON Schema of the configuration file. */
export function createJsonSchema(): Readonly<Record<string, unknown>> {
  return {
    title: 'Dragoman configuration',
    ...z.toJSONSchema(configSchema, { io: 'input', unrepresentable: 'any' }),
    $defs: tableDefinitions,
  };
}

/** The keys that may be at `path`; empty where any key may. */
export function keysAt(schema: SchemaNode, path: readonly PathStep[]): readonly string[] {
  let nodes: readonly SchemaNode[] = [schema];
  for (const step of path) nodes = nodes.flatMap((node) => childrenOf(node, step));
  return nodes.flatMap((node) => alternatives(node)).flatMap((node) => Object.keys(node.properties ?? {}));
}

function alternatives(node: SchemaNode): readonly SchemaNode[] {
  const others = node.anyOf ?? node.oneOf;
  return others === undefined ? [node] : others.flatMap(alternatives);
}

function childrenOf(node: SchemaNode, step: PathStep): readonly SchemaNode[] {
  return alternatives(node).flatMap((each) => {
    const child =
      typeof step === 'number' ? each.items : (each.properties?.[step] ?? objectSchema(each.additionalProperties));
    return child === undefined ? [] : [child];
  });
}

function objectSchema(value: boolean | SchemaNode | undefined): SchemaNode | undefined {
  return typeof value === 'object' ? value : undefined;
}
