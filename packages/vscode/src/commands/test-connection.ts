import * as vscode from 'vscode';
import { describeChecks } from '../diagnosis/describe-checks.ts';
import { readModel } from '../models/read-model.ts';
import type { EndpointDefinition } from '../read-settings.ts';
import { toShownError } from '../shown-error.ts';
import { toRequest } from '../translate/to-request.ts';
import type { CommandServices } from './services.ts';
import { setToolCalling } from './write-endpoints.ts';

/** How one step of the test went, in words. */
interface Step {
  readonly outcome: string;
  readonly isGood: boolean;
  /** The model may have called the tool in its text, where nobody looked. */
  readonly mayWriteText?: boolean;
}

/** The steps in their order. The first that fails ends the test. */
const stepNames = ['The server answers', 'The request passes the four checks', 'A turn with a tool'];

/** So long a whole test may take, in milliseconds: a model may have to be loaded first. */
const patience = 120_000;

/** Tests the endpoint that a person chooses; the only one there is without asking. */
export async function testConnection(services: CommandServices): Promise<void> {
  const definitions = services.endpoints.all();
  const [only, ...others] = definitions;
  if (only !== undefined && others.length === 0) return testEndpoint(only, services);
  const chosen = await vscode.window.showQuickPick(
    definitions.map((definition) => ({ label: definition.name, description: definition.url, definition })),
    { title: 'Test which endpoint?' },
  );
  if (chosen !== undefined) await testEndpoint(chosen.definition, services);
}

/** Runs the test and says how it went; the whole of it is one click away, and so is what may help. */
export async function testEndpoint(definition: EndpointDefinition, services: CommandServices): Promise<void> {
  const notification = vscode.ProgressLocation.Notification;
  const progress = { location: notification, title: `Testing ${definition.name}`, cancellable: true };
  const steps = await vscode.window.withProgress(progress, async (_, token) => {
    const stopped = new AbortController();
    token.onCancellationRequested(() => stopped.abort());
    const signal = AbortSignal.any([AbortSignal.timeout(patience), stopped.signal]);
    const taken = await runTest(definition, { services, signal });
    return token.isCancellationRequested ? undefined : taken;
  });
  if (steps === undefined) return;
  for (const [index, { outcome, isGood }] of steps.entries())
    services.log[isGood ? 'info' : 'error'](`test of ${definition.name}: ${stepNames[index]}: ${outcome}`);
  const failed = steps.find(({ isGood }) => !isGood);
  const details = 'Details';
  const inText = 'Read calls in its text';
  const choices = failed?.mayWriteText === true ? [inText, details] : [details];
  const summary = failed?.outcome ?? `${definition.name} works: ${steps.at(-1)?.outcome ?? ''}`;
  const show = failed === undefined ? vscode.window.showInformationMessage : vscode.window.showWarningMessage;
  show(summary, ...choices).then(async (chosen) => {
    if (chosen === details) await services.pages.show('Connection test', reportOf(definition, steps));
    if (chosen !== inText) return;
    await setToolCalling(definition, 'text');
    await testEndpoint({ ...definition, toolCalling: 'text' }, services);
  });
}

function reportOf({ name, url }: EndpointDefinition, steps: readonly Step[]): string {
  const sections = steps.map(
    ({ isGood, outcome }, index) => `## ${isGood ? '✓' : '✗'} ${stepNames[index]}\n\n${outcome}`,
  );
  return `# Test of ${name}\n\n${url}\n\n${sections.join('\n\n')}\n`;
}

const question = { role: 1, content: ['Call the tool "ping".'], name: undefined };
const ping = {
  name: 'ping',
  description: 'Answers with pong.',
  inputSchema: { type: 'object', properties: { text: { type: 'string', description: 'Any text.' } } },
};

/**
 * Step by step what a turn needs: the server answers, takes the key and lists models, our request is right, and the first of
 * the models answers with a call.
 */
async function runTest(
  definition: EndpointDefinition,
  { services, signal }: { readonly services: CommandServices; readonly signal: AbortSignal },
): Promise<readonly Step[]> {
  const steps: Step[] = [];
  let mayWriteText = false;
  const place = { endpoint: definition.name, url: definition.url };
  let model = '';
  try {
    const endpoint = await services.endpoints.open(definition);
    const { api } = endpoint.detected;
    mayWriteText = readsAsApi(definition, api);
    const models = (await endpoint.client.models({ signal })).map(readModel);
    const [first] = models;
    if (first === undefined) {
      const outcome = `${definition.name} lists no model. Load one, or check the address ${definition.url}.`;
      return [...steps, { outcome, isGood: false }];
    }
    model = first.id;
    const list = models.length === 1 ? `one model, ${first.id}` : `${models.length} models, the first is ${first.id}`;
    steps.push({ outcome: `Asked as ${api}, it lists ${list}.`, isGood: true });
    const { request } = toRequest(
      { messages: [question], tools: [ping], toolMode: 1, modelOptions: { max_output_tokens: 512 } },
      { model: first.id, shape: endpoint.shape },
    );
    const checks = describeChecks(request).replaceAll('\n', '; ');
    steps.push({ outcome: `${checks}.`, isGood: true });
    let said = '';
    let called = false;
    for await (const part of endpoint.client.reply(request, { signal })) {
      if (part.type === 'text') said += part.text;
      if (part.type === 'call') called = true;
    }
    const outcome = called
      ? `${first.id} called the tool.`
      : `${first.id} answers, but called no tool: ${JSON.stringify(said.slice(0, 200))}. Small models need several tries${mayWriteText ? '; others write their calls as text' : ''}.`;
    return [...steps, { outcome, isGood: called, mayWriteText }];
  } catch (error) {
    return [
      ...steps,
      {
        outcome: toShownError(error, { ...place, ...(model === '' ? {} : { model }) }).message,
        isGood: false,
        mayWriteText: mayWriteText && error instanceof Error && error.message.includes('Set its tool calling'),
      },
    ];
  }
}

/** Whether the engine inside could look for calls in texts, and does not. */
function readsAsApi({ from, toolCalling }: EndpointDefinition, api: string): boolean {
  const isEngine = api !== 'gateway' && api !== 'responses';
  return from === 'settings' && isEngine && (toolCalling === 'auto' || toolCalling === 'native');
}
