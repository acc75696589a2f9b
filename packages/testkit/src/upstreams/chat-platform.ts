import { createPlatform, type Platform, type PlatformOptions } from './platform.ts';
import { type ScriptedUpstream, startScriptedUpstream } from './scripted-upstream.ts';

/** A platform that keeps conversations, after HTTP. */
export interface ChatPlatform extends Omit<Platform, 'reply'> {
  readonly baseUrl: string;
  readonly requests: ScriptedUpstream['requests'];
  close(): Promise<void>;
}

/** Starts the platform of `createPlatform` on a free port. */
export async function startChatPlatform(options: PlatformOptions): Promise<ChatPlatform> {
  const { reply, ...platform } = createPlatform(options);
  const upstream = await startScriptedUpstream({ fallback: ({ path, body, over }) => reply(path, body, over) });
  return { ...platform, baseUrl: upstream.origin, requests: upstream.requests, close: () => upstream.close() };
}
