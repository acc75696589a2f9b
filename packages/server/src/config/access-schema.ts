import { z } from 'zod';
import { paths, publicPaths } from '../http/paths.ts';
import { secret } from './schema-values.ts';

/** As browsers write it: scheme and host, and a port where it is not the scheme's own. */
const origin = z
  .string()
  .regex(
    /^(\*|null|[a-z][a-z0-9+.-]*:\/\/[^\s/?#]+)$/,
    'must be an origin with its scheme and without a path, such as "https://example.org", or "*"',
  );

/** Where we listen. */
export const listenSchema = z
  .strictObject({
    host: z.string().min(1).default('127.0.0.1').describe('The address to listen on. Other than loopback needs a key.'),
    port: z.int().min(0).max(65535).default(11434).describe('0 picks a free port.'),
    hosts: z
      .array(z.string().min(1))
      .exactOptional()
      .describe('Without keys: further names that requests may address us by, or `*`. Loopback names always may.'),
  })
  .describe('Where the gateway listens.');

/** The keys of clients. */
export const keysSchema = z
  .array(
    z.strictObject({
      name: z.string().min(1).describe('What the log calls it.'),
      key: secret,
      records: z
        .enum(['own', 'all'])
        .default('own')
        .describe('Which records this key may read and delete: those of its own requests, or those of all.'),
      guards: z
        .boolean()
        .exactOptional()
        .describe(
          'False: loops of calls in requests with this key are neither noted nor ended, whatever `guards` of a model rule says. For agents that have guards of their own.',
        ),
    }),
  )
  .default([])
  .describe('Keys that clients may use.');

/** What the words of `callNonce` are made with. */
export const nonceSecretSchema = secret
  .exactOptional()
  .describe(
    'What the words of `callNonce` are made with, for several gateways or for the time after a restart. Default: drawn when the gateway starts.',
  );

/** Who may come in. */
export const authSchema = z
  .strictObject({
    mode: z
      .enum(['auto', 'required', 'off'])
      .default('auto')
      .describe(
        '`auto`: keys are asked for when there are any; `required`: no start without one; `off`: loopback only.',
      ),
    publicRoutes: z
      .array(z.enum(paths))
      .default([...publicPaths])
      .describe('Routes that need no key.'),
  })
  .describe('Who may come in.');

/** Which web pages may call. */
export const corsSchema = z
  .strictObject({
    origins: z
      .array(origin)
      .exactOptional()
      .describe(
        'Origins of web pages that may call, or `*`. Default: pages on loopback, when we listen on loopback. Without keys the others are refused, with keys they cannot read the answer.',
      ),
  })
  .describe('Which web pages may call.');
