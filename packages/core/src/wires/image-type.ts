/** How many base64 letters hold the bytes by which an image is known. */
const lettersSeen = 16;

/** The media type of an image by its first bytes, given as base64; `undefined` when they are of no known kind. */
export function imageType(base64: string): string | undefined {
  const bytes = firstBytes(base64);
  if (bytes.startsWith('\x89PNG')) return 'image/png';
  if (bytes.startsWith('\xff\xd8\xff')) return 'image/jpeg';
  if (bytes.startsWith('GIF8')) return 'image/gif';
  if (bytes.startsWith('RIFF') && bytes.slice(8, 12) === 'WEBP') return 'image/webp';
  return undefined;
}

/**
 * The address of an image as servers take it: a `data:` URL names the type that its bytes have, whatever the client
 * said. `undefined` when neither the bytes nor the client tell a type; other addresses stay as they are.
 */
export function verifiedImage(url: string): string | undefined {
  const comma = url.indexOf(',');
  const head = comma < 0 ? '' : url.slice(0, comma).toLowerCase();
  if (!head.startsWith('data:') || !head.endsWith(';base64')) return url;
  const base64 = url.slice(comma + 1);
  const said = head.slice('data:'.length).split(';')[0] ?? '';
  const type = imageType(base64) ?? (said === 'image/*' || !said.startsWith('image/') ? undefined : said);
  if (type === undefined) return undefined;
  return type === said ? url : `data:${type};base64,${base64}`;
}

function firstBytes(base64: string): string {
  const letters = base64.slice(0, lettersSeen);
  try {
    return atob(letters.slice(0, letters.length - (letters.length % 4)));
  } catch {
    return '';
  }
}
