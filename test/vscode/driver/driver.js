// An extension that runs what the test sends it: it asks for work in the name of its folder, gets lines, and posts what
// came of each.
const { createInterface } = require('node:readline');
const { Readable } = require('node:stream');
const vscode = require('vscode');

exports.activate = () => {
  const folder = vscode.workspace.workspaceFolders?.[0]?.uri.fsPath ?? '';
  void serve(`${process.env.DRAGOMAN_TEST_DRIVER}/?folder=${encodeURIComponent(folder)}`);
};

async function serve(address) {
  const { body } = await fetch(address);
  // It ends with an error when the test is over before the window is.
  const lines = createInterface({ input: Readable.fromWeb(body).on('error', () => {}) });
  for await (const line of lines) {
    const { id, source, argument } = JSON.parse(line);
    void run(source, argument).then((answer) =>
      fetch(address, { method: 'POST', body: JSON.stringify({ id, ...answer }) }),
    );
  }
}

async function run(source, argument) {
  try {
    const work = new Function('vscode', 'argument', `return (${source})(vscode, argument)`);
    return { json: JSON.stringify((await work(vscode, argument)) ?? null) };
  } catch (thrown) {
    return { error: thrown instanceof Error ? `${thrown.name}: ${thrown.message}` : JSON.stringify(thrown) };
  }
}
