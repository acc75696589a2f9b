import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './ensure.mjs';

/** Writes what `dragoman connect` prints into the pages of the clients. Needs a build. */
export async function writeClientDocs() {
  const { clients } = await import('../packages/server/dist/cli/connect/clients.js');
  const { blocksForPage } = await import('../packages/server/dist/cli/connect/render-connection.js');
  for (const client of clients.values()) {
    const file = join(root, clientPage(client));
    writeFileSync(file, renderClientPage(readFileSync(file, 'utf8'), blocksForPage(client)));
  }
}

/** Where a client's page is in the repository. */
export function clientPage({ id }) {
  return `docs/clients/${id}.md`;
}

/**
 * A client's page with its blocks as they are now: fences whose third word is `connect` are those of the client's first
 * API, in their order, and `connect:messages` and the like those of another. `blocks` has them by API, the first one
 * first. Throws when the page has no place for a block of the first API, or a place for something else.
 */
export function renderClientPage(page, blocks) {
  const [first] = blocks.keys();
  const used = new Map();
  const text = page.replace(/^```(\w+) (\w+) connect(?::(\w+))?\n[\s\S]*?^```$/gm, (_, language, use, api = first) => {
    const index = used.get(api) ?? 0;
    const block = blocks.get(api)?.[index];
    if (block?.language !== language) {
      throw new Error(
        `block ${index + 1} for ${api} is ${block?.language ?? 'not there'}, and the page wants ${language}`,
      );
    }
    used.set(api, index + 1);
    const mark = api === first ? 'connect' : `connect:${api}`;
    return `\`\`\`${language} ${use} ${mark}\n${block.text}\n\`\`\``;
  });
  const wanted = blocks.get(first).length;
  if (used.get(first) !== wanted) throw new Error(`the page has ${used.get(first) ?? 0} of ${wanted} blocks`);
  return text;
}
