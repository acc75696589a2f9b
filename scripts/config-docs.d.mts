export function renderConfigDocs(
  schema: object,
  variables: readonly { readonly names: readonly string[]; readonly meaning: string }[],
): string;
