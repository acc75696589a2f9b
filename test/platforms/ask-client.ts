import { createClient, type ReplyPart } from '@dragoman/openresponses-client';

/** What the client is asked on every platform: `url` is a gateway's with the demo model, whose reply calls a tool. */
export async function askClient(url: string): Promise<string> {
  const parameters = { type: 'object', properties: { path: { type: 'string' } }, required: ['path'] };
  const tools = [{ type: 'function', name: 'read_file', parameters }] as const;
  const client = createClient({ baseUrl: url, apiKey: 'none' });
  const parts: ReplyPart[] = [];
  const stop = new AbortController();
  const request = { model: 'demo', input: 'What is in README.md?', tools };
  for await (const part of client.reply(request, { signal: stop.signal })) parts.push(part);
  const reply = client.reply(request, { signal: stop.signal });
  await reply.next();
  stop.abort();
  const code = await reply.next().catch((thrown: { readonly code: string }) => thrown.code);
  const call = parts.find((part) => part.type === 'call');
  return JSON.stringify({ call: call?.arguments, end: parts.at(-1)?.type, code });
}
