import { isAbsent, isObject, type JsonObject, RequestFields } from '../read-values.ts';

/** What a request needs of earlier ones before it can be read. */
export interface LookUps {
  readonly previousId?: string;
  /** Ids of items that it only refers to. */
  readonly references: readonly string[];
}

/** Throws `bad-request` for an id that is no string; all else is for `readRequest` to judge. */
export function lookUpsOf(body: unknown): LookUps {
  if (!isObject(body)) return { references: [] };
  const previousId = new RequestFields(body).text('previous_response_id');
  const references = itemsIn(body.input).flatMap((item) => (isReference(item) ? [String(item.id)] : []));
  return { references, ...(previousId === undefined ? {} : { previousId }) };
}

/**
 * The items that a request brought, as they are stored and listed: references resolved, each with a type and an id. Ids
 * that the client gave stay.
 */
export function inputItems(
  body: unknown,
  options: { readonly replyId: string; readonly references: ReadonlyMap<string, unknown> },
): readonly JsonObject[] {
  const input = isObject(body) ? body.input : undefined;
  const items = typeof input === 'string' ? [{ role: 'user', content: input }] : itemsIn(input);
  return items.map((item, index) => {
    const found = isReference(item) ? options.references.get(String(item.id)) : item;
    return written(isObject(found) ? found : item, `in_${options.replyId}${index.toString(16).padStart(4, '0')}`);
  });
}

function written(item: JsonObject, id: string): JsonObject {
  const type = item.type ?? 'message';
  const named = { ...item, type, id: typeof item.id === 'string' && item.id !== '' ? item.id : id };
  if (type !== 'message' || typeof item.content !== 'string') return named;
  const part =
    item.role === 'assistant'
      ? { type: 'output_text', text: item.content, annotations: [] }
      : { type: 'input_text', text: item.content };
  return { ...named, status: 'completed', content: [part] };
}

function itemsIn(input: unknown): readonly JsonObject[] {
  return Array.isArray(input) ? input.filter(isObject) : [];
}

function isReference({ type, id, role }: JsonObject): boolean {
  return typeof id === 'string' && (type === 'item_reference' || (isAbsent(type) && isAbsent(role)));
}
