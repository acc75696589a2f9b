import * as vscode from 'vscode';
import { type AnswerServices, answerTurn } from './answer-turn.ts';
import { sameServer } from './endpoints/endpoints.ts';
import type { KnownModel } from './models/model-information.ts';
import { proposedOf } from './read-proposed.ts';
import { type EndpointDefinition, readEndpoint } from './read-settings.ts';
import { estimateMessage, estimateText } from './tokens/estimate.ts';
import { readMessage } from './translate/read-messages.ts';

/** The vendor of the models, as the manifest names it. */
export const vendor = 'dragoman';

/** What VS Code asks of Dragoman: which models there are, what one answers, and how many tokens a text has. */
export class DragomanProvider implements vscode.LanguageModelChatProvider {
  readonly #services: AnswerServices;
  readonly onDidChangeLanguageModelChatInformation: vscode.Event<void>;
  /** Addresses of the groups that VS Code has asked for. */
  readonly #groups = new Set<string>();
  #hinted = false;

  constructor(services: AnswerServices) {
    this.#services = services;
    this.onDidChangeLanguageModelChatInformation = services.catalog.onDidChange;
  }

  /**
   * VS Code asks once for each group of "Add Models", with what a person entered there, and once without: then the gateway
   * that was found and the endpoints of the settings answer, without the servers that are groups already.
   */
  async provideLanguageModelChatInformation(
    options: vscode.PrepareLanguageModelChatModelOptions,
  ): Promise<vscode.LanguageModelChatInformation[]> {
    const { catalog } = this.#services;
    const definitions = this.#definitionsFor(proposedOf.information(options).configuration);
    const models = await catalog.list(definitions);
    if (models.length === 0 && !options.silent) this.#sayWhy(definitions);
    return models.map(({ information }) => information);
  }

  async provideLanguageModelChatResponse(
    { id }: vscode.LanguageModelChatInformation,
    messages: readonly vscode.LanguageModelChatRequestMessage[],
    options: vscode.ProvideLanguageModelChatResponseOptions,
    progress: vscode.Progress<vscode.LanguageModelResponsePart>,
    token: vscode.CancellationToken,
  ): Promise<void> {
    const model = await this.#find(id);
    await answerTurn({ model, messages, options, progress, token }, this.#services);
  }

  /** VS Code counts every message of a prompt this way, many times before each request: it asks nobody. */
  async provideTokenCount(
    { id }: vscode.LanguageModelChatInformation,
    text: string | vscode.LanguageModelChatRequestMessage,
  ): Promise<number> {
    const { calibration, settings } = this.#services;
    const { charactersPerToken } = settings();
    const estimate =
      typeof text === 'string'
        ? estimateText(text, charactersPerToken)
        : estimateMessage(readMessage(text), charactersPerToken);
    return calibration.apply(id, estimate);
  }

  #definitionsFor(configuration: Readonly<Record<string, unknown>> | undefined): readonly EndpointDefinition[] {
    if (configuration !== undefined && Object.keys(configuration).length > 0) {
      const group = readEndpoint(configuration, 'group');
      if (group === undefined) return [];
      this.#groups.add(group.url);
      return [group];
    }
    const isGroup = ({ url }: EndpointDefinition) => [...this.#groups].some((group) => sameServer(group, url));
    return this.#services.endpoints.definitions().filter((definition) => !isGroup(definition));
  }

  /** A model that VS Code remembers and we do not know yet, as after a restart, is looked for once. */
  async #find(id: string): Promise<KnownModel> {
    const { catalog, endpoints } = this.#services;
    const known = catalog.get(id);
    if (known !== undefined) return known;
    await catalog.list(endpoints.definitions());
    const found = catalog.get(id);
    if (found !== undefined) return found;
    const error = new Error(
      `The model ${id} is not there any more. Run "Dragoman: Refresh Models" and choose another one.`,
    );
    error.stack = '';
    throw error;
  }

  /** Once in a window: an empty picker tells nobody what to do. */
  #sayWhy(definitions: readonly EndpointDefinition[]): void {
    if (this.#hinted) return;
    this.#hinted = true;
    const failure = definitions
      .map(({ id }) => this.#services.catalog.failureOf(id))
      .find((each) => each !== undefined);
    const add = 'Add an endpoint';
    const test = 'Test the connection';
    vscode.window.showInformationMessage(failure ?? 'Dragoman has no models yet.', add, test).then((chosen) => {
      if (chosen === add) vscode.commands.executeCommand('dragoman.manageEndpoints');
      if (chosen === test) vscode.commands.executeCommand('dragoman.testConnection');
    });
  }
}
