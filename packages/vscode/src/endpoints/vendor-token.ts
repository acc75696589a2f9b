import * as vscode from 'vscode';
import type { TokenSource } from './read-sessions.ts';

/** Where `vercel env pull` writes, and the variable of the token. */
const file = '.env.local';
const variable = 'VERCEL_OIDC_TOKEN';

/**
 * The token that Vercel's command line gives a linked project. It lies in a file of the workspace; a new one is fetched by
 * running the command, as a person would in the terminal, because extensions in a browser start no programs.
 */
export const vendorToken: TokenSource = {
  async read() {
    for (const { uri } of vscode.workspace.workspaceFolders ?? []) {
      const token = await tokenIn(vscode.Uri.joinPath(uri, file));
      if (token !== undefined) return token;
    }
    return undefined;
  },
  async refresh() {
    const folder = vscode.workspace.workspaceFolders?.[0];
    if (folder === undefined) return undefined;
    const shell = new vscode.ShellExecution('vercel env pull --yes .env.local');
    const task = new vscode.Task({ type: 'dragoman' }, folder, 'Renew the token of Vercel', 'Dragoman', shell);
    task.presentationOptions = { reveal: vscode.TaskRevealKind.Never };
    const running = await vscode.tasks.executeTask(task);
    await new Promise<void>((resolve) => {
      const listener = vscode.tasks.onDidEndTaskProcess(({ execution }) => {
        if (execution !== running) return;
        listener.dispose();
        resolve();
      });
    });
    return vendorToken.read();
  },
};

async function tokenIn(uri: vscode.Uri): Promise<string | undefined> {
  try {
    const text = new TextDecoder().decode(await vscode.workspace.fs.readFile(uri));
    const line = text.split('\n').find((each) => each.trim().startsWith(`${variable}=`));
    const value = line?.slice(line.indexOf('=') + 1).trim();
    return value?.startsWith('"') ? value.slice(1, value.lastIndexOf('"')) : value;
  } catch {
    return undefined;
  }
}
