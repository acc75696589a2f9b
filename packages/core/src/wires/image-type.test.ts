import { describe, expect, it } from 'vitest';
import { imageType, verifiedImage } from './image-type.ts';

const encoded = (bytes: string) => btoa(bytes);
const kinds = [
  ['image/png', encoded('\x89PNG\r\n\x1a\nrest')],
  ['image/jpeg', encoded('\xff\xd8\xff\xe0rest and more')],
  ['image/gif', encoded('GIF89a and more')],
  ['image/webp', encoded('RIFF\x01\x02\x03\x04WEBPVP8 ')],
] as const;

describe('the type of an image', () => {
  it.each(kinds)('C-030 is %s by its first bytes, whatever the client said', (type, base64) => {
    expect(imageType(base64)).toBe(type);
    for (const said of ['image/*', 'image/bmp', 'application/octet-stream', '']) {
      expect(verifiedImage(`data:${said};base64,${base64}`)).toBe(`data:${type};base64,${base64}`);
    }
    const right = `data:${type};base64,${base64}`;
    expect(verifiedImage(right)).toBe(right);
  });

  it('C-030 is what the client said of bytes that are not known, if it said anything', () => {
    for (const url of ['data:image/avif;base64,AAAA', 'https://example.org/a.png', 'data:image/svg+xml,<svg/>']) {
      expect(verifiedImage(url)).toBe(url);
    }
    for (const url of ['data:image/*;base64,AAAA', 'data:;base64,AAAA', 'data:text/plain;base64,AAAA']) {
      expect(verifiedImage(url)).toBeUndefined();
    }
    expect(verifiedImage('data:image/*;base64,!')).toBeUndefined();
    expect(imageType(encoded('RIFF\x01\x02\x03\x04WAVEfmt '))).toBeUndefined();
  });
});
