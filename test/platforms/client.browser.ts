import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { startDemoGateway } from '../../packages/server/src/cli/demo-gateway.ts';
import { bundle } from '../../scripts/bundle.mjs';
import { runInChromium } from './chromium.ts';

// "npm run test:browser" runs this; it needs Chromium.

it('the client of OpenResponses asks a gateway from a page and from a web worker', async () => {
  const file = fileURLToPath(new URL('ask-client.ts', import.meta.url));
  const gateway = await startDemoGateway();
  try {
    const found = await runInChromium({
      script: `${await bundle(`export { askClient } from ${JSON.stringify(file)};`, { name: 'own' })};
        export const { askClient } = own;
        export async function run(url) {
          const source = "import { askClient } from '" + location.origin + "/script.js';" +
            "onmessage = ({ data }) => askClient(data).then(postMessage, (thrown) => postMessage(String(thrown)));";
          const worker = new Worker(URL.createObjectURL(new Blob([source], { type: 'text/javascript' })), { type: 'module' });
          const answer = new Promise((resolve, reject) => {
            worker.onmessage = ({ data }) => resolve(data);
            worker.onerror = ({ message }) => reject(new Error(message));
          });
          worker.postMessage(url);
          return JSON.stringify([JSON.parse(await askClient(url)), JSON.parse(await answer)]);
        }`,
      given: gateway.url,
      timeout: 60_000,
    });
    const expected = { call: '{"path":"README.md"}', end: 'end', code: 'aborted' };
    expect(JSON.parse(found)).toEqual([expected, expected]);
  } finally {
    await gateway.close();
  }
}, 90_000);
