import type { ReasoningEffort, ResponsesClient } from '@dragoman/openresponses-client';
import type * as vscode from 'vscode';
import { describeChecks } from './diagnosis/describe-checks.ts';
import type { Turn, Turns } from './diagnosis/turns.ts';
import { WrittenText } from './diagnosis/written-text.ts';
import type { Endpoints } from './endpoints/endpoints.ts';
import type { Logger } from './log/logger.ts';
import type { Catalog } from './models/catalog.ts';
import type { LearntLimits } from './models/learnt-limits.ts';
import { agentNeeds, efforts, type KnownModel, smallNotice } from './models/model-information.ts';
import { proposedOf, toPart, toUsagePart } from './read-proposed.ts';
import type { Settings } from './read-settings.ts';
import { OwnError, toShownError } from './shown-error.ts';
import { promisesCall } from './stream/promised-call.ts';
import { type ReplyEnd, type ReplyPiece, ReplyPieces, type Usage } from './stream/reply-pieces.ts';
import type { Calibration } from './tokens/calibration.ts';
import { estimateRequest, estimateText } from './tokens/estimate.ts';
import { isUtility } from './translate/read-model-options.ts';
import { type TranslatedRequest, toRequest } from './translate/to-request.ts';
import type { StatusBar } from './usage/status-bar.ts';
import { costOf, type Fill, type UsageTracker } from './usage/usage-tracker.ts';

export interface AnswerServices {
  readonly endpoints: Endpoints;
  readonly catalog: Catalog;
  readonly limits: LearntLimits;
  readonly calibration: Calibration;
  readonly usage: UsageTracker;
  readonly statusBar: StatusBar;
  readonly turns: Turns;
  readonly log: Logger;
  readonly settings: () => Settings;
}

/** What VS Code asks of a model. */
export interface Question {
  readonly model: KnownModel;
  readonly messages: readonly vscode.LanguageModelChatRequestMessage[];
  readonly options: vscode.ProvideLanguageModelChatResponseOptions;
  readonly progress: vscode.Progress<vscode.LanguageModelResponsePart>;
  readonly token: vscode.CancellationToken;
}

/**
 * One turn: the question becomes a request, its answer parts of the chat. A cancelled turn ends silently, and the server is
 * told by the connection that closes. Every other failure is an Error of one line.
 */
export async function answerTurn(question: Question, services: AnswerServices): Promise<void> {
  const { model, token } = question;
  const { endpoint, listed } = model;
  const turn = services.turns.begin({
    at: new Date(),
    modelId: model.id,
    endpoint: `${endpoint.name} (${endpoint.url})`,
    initiator: proposedOf.request(question.options).requestInitiator ?? 'unknown',
    utility: isUtility(question.options.modelOptions),
  });
  const aborted = new AbortController();
  const listener = token.onCancellationRequested(() => aborted.abort());
  if (token.isCancellationRequested) aborted.abort();
  try {
    await new TurnRun(question, { services, turn, signal: aborted.signal }).run();
  } catch (error) {
    if (token.isCancellationRequested) {
      services.log.info(`${model.id}: cancelled`);
      return;
    }
    const shown = toShownError(error, { endpoint: endpoint.name, url: endpoint.url, model: listed.id });
    turn.error = shown.message;
    services.log.error(`${model.id}: ${shown.message}`);
    await learnFrom(error, { model, turn, services });
    throw shown;
  } finally {
    listener.dispose();
  }
}

interface RunOptions {
  readonly services: AnswerServices;
  readonly turn: Turn;
  readonly signal: AbortSignal;
}

class TurnRun {
  readonly #question: Question;
  readonly #services: AnswerServices;
  readonly #turn: Turn;
  readonly #signal: AbortSignal;
  readonly #began = performance.now();

  constructor(question: Question, { services, turn, signal }: RunOptions) {
    this.#question = question;
    this.#services = services;
    this.#turn = turn;
    this.#signal = signal;
  }

  async run(): Promise<void> {
    const { model } = this.#question;
    const { endpoints, settings, log, calibration, statusBar } = this.#services;
    const endpoint = await endpoints.open(model.endpoint, model.wantedWindow);
    const translated = this.#translate(endpoint.shape);
    const { request, notes } = translated;
    this.#turn.request = request;
    this.#turn.notes = notes;
    for (const note of notes) log.debug(`${model.id}: ${note}`);
    const estimate = estimateRequest(request, settings().charactersPerToken);
    const input = calibration.apply(model.id, estimate);
    this.#refuseTooLong(input);
    // The gauge is the chat's.
    const gauge = this.#turn.utility ? undefined : statusBar;
    let fill = this.#fillOf({ input, output: 0, cached: 0, reasoning: 0 }, true);
    gauge?.begin(fill);
    try {
      this.#turn.sentAfter = performance.now() - this.#began;
      const written = new WrittenText();
      this.#turn.written = written;
      const client = endpoint.hearing((chunk) => written.push(chunk));
      const end = await this.#read(client.reply(request, { signal: this.#signal }), translated);
      fill = this.#count(end, { estimate, input });
    } finally {
      gauge?.end(fill);
    }
  }

  #translate(shape: TranslateShape): TranslatedRequest {
    const { model, messages, options } = this.#question;
    const { systemPrompt } = this.#services.settings();
    const isSealed = model.reasoning && proposedOf.request(options).includeEncryptedThinking === true;
    return toRequest(
      { messages, tools: options.tools, toolMode: options.toolMode, modelOptions: options.modelOptions },
      {
        model: model.listed.id,
        shape,
        legacySystem: systemPrompt.legacy,
        ...(systemPrompt.enabled && systemPrompt.message !== '' ? { systemText: systemPrompt.message } : {}),
        effort: this.#effort(),
        sealed: isSealed && shape.thoughts === 'sealed',
      },
    );
  }

  /** What was chosen beside the picker counts for more than the setting; nobody waits for long thoughts about a title. */
  #effort(): ReasoningEffort | undefined {
    const { model, options } = this.#question;
    if (!model.reasoning) return undefined;
    const chosen = proposedOf.request(options).modelConfiguration?.reasoningEffort;
    const wanted = typeof chosen === 'string' ? chosen : this.#services.settings().effort;
    const effort = efforts.find((each) => each === wanted);
    return this.#turn.utility && effort !== 'none' ? 'low' : effort;
  }

  /** Only where VS Code was told of more room than there is: of all other models it keeps the limit itself. */
  #refuseTooLong(input: number): void {
    const { limits } = this.#question.model;
    if (limits.input >= agentNeeds || input <= limits.window) return;
    throw new OwnError(`This turn has about ${input.toLocaleString('en-US')} tokens. ${smallNotice(limits)}`);
  }

  async #read(parts: ReturnType<ResponsesClient['reply']>, { names }: TranslatedRequest): Promise<ReplyEnd> {
    const { model, progress, options } = this.#question;
    const { log } = this.#services;
    const turn = this.#turn;
    const pieces = new ReplyPieces({
      emit: (piece) => {
        turn.firstAfter ??= performance.now() - this.#began;
        noteIn(turn, piece);
        const part = toPart(piece);
        if (part !== undefined) progress.report(part);
        else log.trace(`${model.id}: thought`, piece);
      },
      names,
      warn: (warning) => {
        turn.warnings.push(warning);
        log.warn(`${model.id}: ${warning}`);
      },
    });
    for await (const part of parts) {
      turn.parts += 1;
      pieces.push(part);
    }
    const end = pieces.end();
    turn.endedAfter = performance.now() - this.#began;
    turn.promised = (options.tools?.length ?? 0) > 0 && end.calls === 0 && promisesCall(end.text);
    if (turn.promised) log.warn(`${model.id}: the answer announces a call and makes none: ${end.text.slice(-200)}`);
    return end;
  }

  /** The context meter gets what the server counted, or what we estimate. */
  #count(end: ReplyEnd, { estimate, input }: { readonly estimate: number; readonly input: number }): Fill {
    const { model, progress } = this.#question;
    const { calibration, usage, settings, log } = this.#services;
    const output = estimateText(end.text, settings().charactersPerToken);
    const told = end.usage ?? { input, output, cached: 0, reasoning: 0 };
    progress.report(toUsagePart(told));
    usage.add(model.id, told, model.listed);
    if (end.usage !== undefined) {
      this.#turn.usage = end.usage;
      calibration.learn(model.id, { estimate, actual: end.usage.input });
    }
    const { sentAfter = 0, firstAfter = 0, endedAfter = 0 } = this.#turn;
    log.info(
      `${model.id}: ${told.input} tokens in, ${told.output} out, ${end.calls} calls; request left after ${sentAfter.toFixed(1)} ms, first text after ${Math.round(firstAfter)} ms, all after ${Math.round(endedAfter)} ms`,
    );
    return this.#fillOf(told, end.usage === undefined);
  }

  #fillOf(usage: Usage, isEstimate: boolean): Fill {
    const { id, limits, listed } = this.#question.model;
    const cost = costOf(usage, listed);
    return {
      modelId: id,
      used: usage.input + usage.output,
      window: limits.window,
      cached: usage.cached,
      isEstimate,
      ...(cost === undefined ? {} : { cost }),
    };
  }
}

type TranslateShape = Awaited<ReturnType<Endpoints['open']>>['shape'];

function noteIn(turn: Turn, piece: ReplyPiece): void {
  if (piece.kind === 'text') turn.text += piece.text;
  else if (piece.kind === 'thinking') turn.thinking += piece.text;
  else turn.calls.push(piece);
}

interface Lesson {
  readonly model: KnownModel;
  readonly turn: Turn;
  readonly services: AnswerServices;
}

/** An error that names a limit changes what VS Code is told of the model; a 400 is looked at from this side. */
async function learnFrom(error: unknown, { model, turn, services }: Lesson): Promise<void> {
  const { limits, catalog, log } = services;
  if (error instanceof OwnError) return;
  const message = error instanceof Error ? error.message : String(error);
  if (await limits.learn(model.id, message)) {
    log.info(`${model.id}: learnt that its window is ${limits.get(model.id)} tokens`);
    catalog.retell();
  }
  const isRefused = error instanceof Error && 'status' in error && error.status === 400;
  if (isRefused && turn.request !== undefined) log.error(`checks of the request:\n${describeChecks(turn.request)}`);
}
