import { clientError } from './responses-error.ts';

/** Where a path of the API is. An address without a path gets `/v1`, as servers of this API have it there. */
export function readBase(address: string): (path: string) => string {
  const url = URL.canParse(address) ? new URL(address) : undefined;
  if (url === undefined || !/^https?:$/.test(url.protocol)) {
    throw refused('baseUrl', `is ${JSON.stringify(address)}: give it an address, such as "http://127.0.0.1:11434/v1".`);
  }
  if (url.username !== '' || url.password !== '')
    throw refused('baseUrl', 'holds a password: give it as apiKey or headers.');
  const path = url.pathname.replace(/\/+$/, '');
  const base = `${url.origin}${path === '' ? '/v1' : path}`;
  return (own) => base + own + url.search;
}

/** Keys are pasted: what is around one is no part of it. */
export function writeHeaders(headers: Readonly<Record<string, string>> = {}, apiKey = ''): Headers {
  const key = apiKey.trim();
  if (!/^[\x21-\x7e]*$/.test(key)) throw refused('apiKey', 'holds a character that no key has.');
  const written = new Headers(key === '' ? {} : { authorization: `Bearer ${key}` });
  for (const [name, value] of Object.entries(headers)) {
    try {
      written.set(name, value);
    } catch {
      throw refused(`headers[${JSON.stringify(name)}]`, 'is no header, or has a value that no header can have.');
    }
  }
  return written;
}

const least = 5000;

interface TimeRules {
  readonly name: string;
  readonly usual: number;
  readonly most: number;
}

export function readTime(value: number | undefined, { name, usual, most }: TimeRules): number {
  if (value === undefined) return usual;
  if (value >= least && value <= most) return value;
  throw refused(name, `is ${value}: give it ${least} to ${most} milliseconds.`);
}

function refused(option: string, problem: string): Error {
  return clientError('request_invalid', `${option} ${problem}`, { param: option });
}
