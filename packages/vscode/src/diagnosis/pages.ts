import * as vscode from 'vscode';

/** Of the addresses of pages. */
export const scheme = 'dragoman';

/** Pages of Markdown for people: VS Code shows them rendered, and asks nobody to save them. */
export class Pages implements vscode.TextDocumentContentProvider {
  readonly #texts = new Map<string, string>();
  readonly #changed = new vscode.EventEmitter<vscode.Uri>();
  /** A page that is open already shows its new text. */
  readonly onDidChange = this.#changed.event;

  provideTextDocumentContent({ path }: vscode.Uri): string {
    return this.#texts.get(path) ?? '';
  }

  /** `title`: what its tab is called; the next page of that title takes its place. */
  async show(title: string, text: string): Promise<void> {
    const uri = vscode.Uri.from({ scheme, path: `/${title}.md` });
    this.#texts.set(uri.path, text);
    this.#changed.fire(uri);
    // Locked: it stays when another file of Markdown is opened.
    await vscode.commands.executeCommand('markdown.showPreview', uri, undefined, { locked: true });
  }
}
