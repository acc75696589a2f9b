/** Bytes of what programs take of the core, from little to everything. */
export function coreSizes(): Promise<
  readonly { readonly taking: string; readonly minified: number; readonly gzip: number }[]
>;
