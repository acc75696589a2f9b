import * as vscode from 'vscode';
import { type AnswerServices, answerTurn } from './answer-turn.ts';
import type { KnownModel } from './models/model-information.ts';
import { proposedOf } from './read-proposed.ts';
import { type EndpointDefinition, readEndpoint } from './read-settings.ts';
import { withoutStack } from './shown-error.ts';
import { estimateMessage, estimateText } from './tokens/estimate.ts';
import { readMessage } from './translate/read-messages.ts';

/**
 * The vendors of the models, as the manifest names them. Groups of "Add Models" have one of their own: what a person sets
 * beside the picker for a model without a group is kept only where the vendor has no groups.
 */
export const vendors = { own: 'dragoman', groups: 'dragoman-server' } as const;

/** What VS Code asks of one of the vendors: which models there are, what one answers, and how many tokens a text has. */
export class DragomanProvider implements vscode.LanguageModelChatProvider {
  readonly #vendor: keyof typeof vendors;
  readonly #services: AnswerServices;
  readonly onDidChangeLanguageModelChatInformation: vscode.Event<void>;
  #hinted = false;

  constructor(vendor: keyof typeof vendors, services: AnswerServices) {
    this.#vendor = vendor;
    this.#services = services;
    this.onDidChangeLanguageModelChatInformation = services.catalog.onDidChange;
  }

  /**
   * VS Code asks for each group of "Add Models" with what a person entered there, and once without. It shows an error in the
   * list of models, where an empty answer shows nothing at all.
   */
  async provideLanguageModelChatInformation(
    options: vscode.PrepareLanguageModelChatModelOptions,
  ): Promise<vscode.LanguageModelChatInformation[]> {
    const { catalog } = this.#services;
    const definitions = this.#definitionsFor(proposedOf.information(options).configuration);
    const models = await catalog.list(definitions);
    if (models.length > 0) return models.map(({ information }) => information);
    const failure = definitions.filter(({ from }) => from !== 'found').map((each) => catalog.failureOf(each));
    if (!options.silent) this.#sayWhy(definitions);
    const said = failure.find((each) => each !== undefined);
    if (said !== undefined) throw withoutStack(said);
    return [];
  }

  async provideLanguageModelChatResponse(
    information: vscode.LanguageModelChatInformation,
    messages: readonly vscode.LanguageModelChatRequestMessage[],
    options: vscode.ProvideLanguageModelChatResponseOptions,
    progress: vscode.Progress<vscode.LanguageModelResponsePart>,
    token: vscode.CancellationToken,
  ): Promise<void> {
    const model = await this.#find(information);
    await answerTurn({ model, messages, options, progress, token }, this.#services);
  }

  /** VS Code counts every message of a prompt this way, many times before each request: it asks nobody. */
  async provideTokenCount(
    { id }: vscode.LanguageModelChatInformation,
    text: string | vscode.LanguageModelChatRequestMessage,
  ): Promise<number> {
    const { calibration, settings } = this.#services;
    const { charactersPerToken } = settings();
    if (typeof text === 'string') return calibration.applyToText(id, estimateText(text, charactersPerToken));
    return calibration.apply(id, estimateMessage(readMessage(text), charactersPerToken));
  }

  #definitionsFor(configuration: Readonly<Record<string, unknown>> = {}): readonly EndpointDefinition[] {
    if (this.#vendor === 'own') return this.#services.endpoints.definitions();
    const { endpoints } = this.#services;
    const group = readEndpoint(configuration, 'group');
    // The question without a group comes before those of all groups.
    if (group === undefined) endpoints.forgetGroups();
    else endpoints.addGroup(group);
    return group === undefined ? [] : [group];
  }

  /** A model that VS Code remembers and we do not know yet, as after a restart, is looked for once. */
  async #find(information: vscode.LanguageModelChatInformation): Promise<KnownModel> {
    const { catalog, endpoints } = this.#services;
    const known = catalog.get(information);
    if (known !== undefined) return known;
    await catalog.list(endpoints.definitions());
    const found = catalog.get(information);
    if (found !== undefined) return found;
    throw withoutStack(
      `The model ${information.id} is not there any more. Run "Dragoman: Refresh Models" and choose another one.`,
    );
  }

  /** Once in a window: an empty picker tells nobody what to do. */
  #sayWhy(definitions: readonly EndpointDefinition[]): void {
    if (this.#hinted) return;
    this.#hinted = true;
    const failure = definitions
      .map((each) => this.#services.catalog.failureOf(each))
      .find((each) => each !== undefined);
    const add = 'Add an endpoint';
    const test = 'Test the connection';
    vscode.window.showInformationMessage(failure ?? 'Dragoman has no models yet.', add, test).then((chosen) => {
      if (chosen === add) vscode.commands.executeCommand('dragoman.manageEndpoints');
      if (chosen === test) vscode.commands.executeCommand('dragoman.testConnection');
    });
  }
}
