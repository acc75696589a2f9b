import * as vscode from 'vscode';
import type { CommandServices } from '../commands/services.ts';
import { redactText } from '../log/logger.ts';
import { describeUsage } from '../usage/usage-tracker.ts';

/** So many of the last lines of the log. */
const lines = 300;

/** What somebody needs to know who is asked for help: no keys, and of conversations nothing but what the log's level lets in. */
export async function writeDiagnostics(services: CommandServices): Promise<string> {
  const { endpoints, catalog, turns, usage, logFiles, version } = services;
  const endpointLines = endpoints.all().map((definition) => {
    const { name, url, api, from } = definition;
    const failure = catalog.failureOf(definition);
    return `- ${name}: ${url}, ${api}, ${from}${failure === undefined ? '' : `; ${failure}`}`;
  });
  const modelLines = catalog
    .all()
    .map(
      ({ id, limits, reasoning }) =>
        `- ${id}: window ${limits.window} (${limits.source}), output ${limits.output}${reasoning ? ', thinks' : ''}`,
    );
  const errorLines = turns
    .all()
    .flatMap(({ at, modelId, error }) => (error === undefined ? [] : `- ${at.toISOString()} ${modelId}: ${error}`));
  const log = await logFiles.read(lines);
  return [
    `# Diagnostics of Dragoman ${version}\n\nIn VS Code ${vscode.version}.`,
    `## Endpoints\n\n${listOf(endpointLines)}`,
    `## Models\n\n${listOf(modelLines)}`,
    `## Last errors\n\n${listOf(errorLines)}`,
    describeUsage(usage.all()).replace('# ', '## ').trimEnd(),
    `## Log\n\n\`\`\`\`text\n${log.join('\n')}\n\`\`\`\``,
  ]
    .map(redactText)
    .join('\n\n')
    .concat('\n');
}

const listOf = (items: readonly string[]) => (items.length === 0 ? 'None.' : items.join('\n'));
