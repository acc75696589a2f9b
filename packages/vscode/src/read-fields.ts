/** What a server has sent. Its fields are read one by one, because servers leave some out. */
export type Fields = Readonly<Record<string, unknown>>;

export function isObject(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export const numberIn = (fields: Fields, name: string): number | undefined => {
  const value = fields[name];
  return typeof value === 'number' ? value : undefined;
};

export const fieldsIn = (fields: Fields, name: string): Fields => {
  const value = fields[name];
  return isObject(value) ? value : {};
};

export const listIn = (fields: Fields, name: string): readonly Fields[] => {
  const value = fields[name];
  return Array.isArray(value) ? value.filter(isObject) : [];
};
