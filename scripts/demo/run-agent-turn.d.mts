export function runReadFile(
  call: { readonly name: string; readonly arguments: string },
  root: string,
): Promise<{ readonly text: string; readonly ok: boolean }>;
