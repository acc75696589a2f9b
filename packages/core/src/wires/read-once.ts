import { ReadNotes } from './read-values.ts';

/**
 * Reads a list of tools once, where it was parsed once for the bodies of many requests: the same tools again, and what is to be
 * noted of them. `read` goes by nothing else than the list.
 */
export function readOnce<Read>(
  read: (list: readonly unknown[], notes: ReadNotes) => Read,
): (list: readonly unknown[], notes: ReadNotes) => Read {
  const known = new WeakMap<readonly unknown[], { readonly value: Read; readonly notes: ReadNotes }>();
  const readNew = (list: readonly unknown[]) => {
    const notes = new ReadNotes();
    return { value: read(list, notes), notes };
  };
  return (list, notes) => {
    const found = known.get(list) ?? readNew(list);
    known.set(list, found);
    notes.take(found.notes);
    return found.value;
  };
}
