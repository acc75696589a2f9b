// An extension that runs what the test sends it: it asks for work in the name of its folder, gets lines, and posts what
// came of each. It has nothing of Node, so that it also runs in a web worker.
const vscode = require('vscode');

exports.activate = () => {
  const folder = vscode.workspace.workspaceFolders?.[0]?.uri.path ?? '';
  const address = vscode.workspace.getConfiguration('driver').get('address');
  // It ends with an error when the test is over before the window is.
  serve(`${address}/?folder=${encodeURIComponent(folder)}`).catch(() => {});
};

async function serve(address) {
  const { body } = await fetch(address);
  let rest = '';
  const decoder = new TextDecoder();
  const reader = body.getReader();
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return;
    const lines = (rest + decoder.decode(value, { stream: true })).split('\n');
    rest = lines.pop();
    for (const line of lines) void work(JSON.parse(line), address);
  }
}

async function work({ id, source, argument }, address) {
  const answer = await run(source, argument);
  await fetch(address, { method: 'POST', body: JSON.stringify({ id, ...answer }) });
}

async function run(source, argument) {
  try {
    const work = new Function('vscode', 'argument', `return (${source})(vscode, argument)`);
    return { json: JSON.stringify((await work(vscode, argument)) ?? null) };
  } catch (thrown) {
    return { error: thrown instanceof Error ? `${thrown.name}: ${thrown.message}` : JSON.stringify(thrown) };
  }
}
