const signatures: readonly { readonly mimeType: string; readonly at: number; readonly bytes: readonly number[] }[] = [
  { mimeType: 'image/png', at: 0, bytes: [0x89, 0x50, 0x4e, 0x47] },
  { mimeType: 'image/jpeg', at: 0, bytes: [0xff, 0xd8, 0xff] },
  { mimeType: 'image/gif', at: 0, bytes: [0x47, 0x49, 0x46, 0x38] },
  { mimeType: 'image/webp', at: 8, bytes: [0x57, 0x45, 0x42, 0x50] },
];

/** What an image really is, by its first bytes: the type that came with it may be `image/*` or wrong. */
export function sniffImage(data: Uint8Array): string | undefined {
  return signatures.find(({ at, bytes }) => bytes.every((byte, index) => data[at + index] === byte))?.mimeType;
}

/** In slices: `fromCharCode` takes only so many arguments. */
export function toBase64(data: Uint8Array): string {
  let binary = '';
  for (let at = 0; at < data.length; at += 8192) binary += String.fromCharCode(...data.subarray(at, at + 8192));
  return btoa(binary);
}
