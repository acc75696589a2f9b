import { claudeCode } from './clients/claude-code.ts';
import { cline } from './clients/cline.ts';
import { codex } from './clients/codex.ts';
import { continueDev } from './clients/continue.ts';
import { copilotCli } from './clients/copilot-cli.ts';
import { kilo, opencode } from './clients/opencode.ts';
import { pi } from './clients/pi.ts';
import { qwenCode } from './clients/qwen-code.ts';
import { aiSdk, anthropicSdk, curl, ollamaSdk, openaiSdk } from './clients/sdks.ts';
import { vscode } from './clients/vscode.ts';
import type { Client } from './connection.ts';

/** Every client that `connect` knows, by its id. Each has a page of that name in `docs/clients`. */
export const clients: ReadonlyMap<string, Client> = new Map(
  [
    opencode,
    codex,
    claudeCode,
    vscode,
    copilotCli,
    qwenCode,
    continueDev,
    cline,
    pi,
    kilo,
    openaiSdk,
    anthropicSdk,
    aiSdk,
    ollamaSdk,
    curl,
  ].map((client) => [client.id, client]),
);
