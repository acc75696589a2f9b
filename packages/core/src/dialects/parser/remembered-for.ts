/** The same again for the same object: a table is made once, and what was made for a request is read by many. */
export function rememberedFor<Key extends object, Value>(make: (key: Key) => Value): (key: Key) => Value {
  const remembered = new WeakMap<Key, { readonly value: Value }>();
  return (key) => {
    const known = remembered.get(key) ?? { value: make(key) };
    remembered.set(key, known);
    return known.value;
  };
}
