import { createRequire } from 'node:module';

/** The undici that the server uses; peers bring older ones of their own. */
export const { Pool } = createRequire(new URL('../../packages/server/package.json', import.meta.url))('undici');
