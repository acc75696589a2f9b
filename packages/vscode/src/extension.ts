import * as vscode from 'vscode';
import { registerCommands } from './commands/register-commands.ts';
import type { CommandServices } from './commands/services.ts';
import { Pages, scheme } from './diagnosis/pages.ts';
import { Turns } from './diagnosis/turns.ts';
import { connectWith } from './endpoints/connect.ts';
import { Endpoints } from './endpoints/endpoints.ts';
import { Sessions } from './endpoints/read-sessions.ts';
import { vendorToken } from './endpoints/vendor-token.ts';
import { LogFiles } from './log/log-files.ts';
import { channelName, Logger } from './log/logger.ts';
import { Catalog } from './models/catalog.ts';
import { LearntFacts, LearntLimits } from './models/learnt-limits.ts';
import { DragomanProvider, vendors } from './provider.ts';
import { readSettings, type Settings } from './read-settings.ts';
import { Calibration } from './tokens/calibration.ts';
import { StatusBar } from './usage/status-bar.ts';
import { UsageTracker } from './usage/usage-tracker.ts';

/**
 * VS Code calls it when somebody looks for models or runs a command. It only puts things together: no server is asked before
 * VS Code asks for models.
 */
export function activate(context: vscode.ExtensionContext): void {
  const began = performance.now();
  const channel = vscode.window.createOutputChannel(channelName);
  const logFiles = new LogFiles(context.logUri);
  const log = new Logger([channel, logFiles]);
  const settings = rememberSettings();
  const sessions = new Sessions({ secrets: context.secrets, tokens: vendorToken });
  const facts = new LearntFacts(context.globalState);
  const endpoints = new Endpoints({
    settings: settings.read,
    credential: (owner) => sessions.credential(owner),
    connect: connectWith({ log, facts }),
    fetch: (input, init) => globalThis.fetch(input, init),
  });
  const limits = new LearntLimits(context.globalState);
  const catalog = new Catalog({ endpoints, settings: settings.read, limits, log });
  const pages = new Pages();
  const statusBar = new StatusBar(() => settings.read().statusBar);
  const services: CommandServices = {
    endpoints,
    catalog,
    limits,
    facts,
    calibration: new Calibration(context.globalState),
    usage: new UsageTracker(),
    statusBar,
    turns: new Turns(),
    pages,
    log,
    settings: settings.read,
    sessions,
    logFiles,
    showLog: () => channel.show(),
    clearLog: () => channel.clear(),
    version: String(context.extension.packageJSON.version),
  };
  context.subscriptions.push(
    channel,
    statusBar,
    vscode.lm.registerLanguageModelChatProvider(vendors.own, new DragomanProvider('own', services)),
    vscode.lm.registerLanguageModelChatProvider(vendors.groups, new DragomanProvider('groups', services)),
    vscode.workspace.registerTextDocumentContentProvider(scheme, pages),
    ...registerCommands(services),
    sessions.watch(),
    sessions.onDidChange(() => catalog.refresh()),
    vscode.workspace.onDidChangeConfiguration((change) => {
      if (change.affectsConfiguration('vercelAiGateway')) log.readLevel();
      if (!change.affectsConfiguration('dragoman')) return;
      settings.forget();
      log.readLevel();
      statusBar.update();
      catalog.refresh();
    }),
  );
  logFiles.prune().catch((error: unknown) => log.debug(`old log files stay: ${String(error)}`));
  log.info(`Dragoman ${services.version} is active after ${(performance.now() - began).toFixed(1)} ms`);
}

/** Settings are read once, and again after a change: token counting looks at them with every text. */
function rememberSettings(): { readonly read: () => Settings; readonly forget: () => void } {
  let known: Settings | undefined;
  return {
    read: () => {
      known ??= readSettings();
      return known;
    },
    forget: () => {
      known = undefined;
    },
  };
}
