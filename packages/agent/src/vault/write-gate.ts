import type { ChangeLog } from '../store/change-log.ts';
import { ChatError } from '../store/chat-error.ts';
import {
  type AskConsent,
  type CallProposal,
  type Change,
  type ChangeRequest,
  type Decision,
  diffOf,
  type FileProposal,
  type Proposal,
} from './change.ts';
import type { ReadView } from './read-view.ts';
import { ToolFault, type Vault } from './vault.ts';

export interface WriteGateOptions {
  readonly vault: Vault;
  /** The confined view of the same vault. */
  readonly view: ReadView;
  readonly ask: AskConsent;
  readonly log: ChangeLog;
  readonly now?: () => number;
}

/** Who wants a change. */
export interface Asker {
  readonly callId: string;
  readonly tool: string;
  readonly signal: AbortSignal;
  /** Called when the change is made, before anything else happens. */
  readonly made?: () => void;
}

/** What became of a request. `unchanged`: the file is so already, and nobody was asked. */
export type GateOutcome =
  | { readonly became: 'made'; readonly change: Change }
  | { readonly became: 'rejected' | 'unchanged' };

/**
 * The only way to write into a vault: every change is shown to its person first, and made as it was shown or not at all. It
 * is logged before it is made, so that it can be taken back even if the program ends in the middle.
 */
export class WriteGate {
  readonly #vault: Vault;
  readonly #view: ReadView;
  readonly #ask: AskConsent;
  readonly #log: ChangeLog;
  readonly #now: () => number;
  readonly #approvedTools = new Set<string>();
  #approvesAll = false;
  #last: Promise<unknown> = Promise.resolve();

  constructor({ vault, view, ask, log, now = Date.now }: WriteGateOptions) {
    this.#vault = vault;
    this.#view = view;
    this.#ask = ask;
    this.#log = log;
    this.#now = now;
  }

  /** Whether its person has said yes to all that comes: to changes of files, or to the calls of a tool. */
  get approvesAll(): boolean {
    return this.#approvesAll || this.#approvedTools.size > 0;
  }

  /** From now on everything is asked for again. */
  askAgain(): void {
    this.#approvesAll = false;
    this.#approvedTools.clear();
  }

  /** Asks for a call of a tool that somebody else runs. Throws the signal's reason when it aborts. */
  async allows(proposal: CallProposal, signal: AbortSignal): Promise<boolean> {
    const { tool } = proposal;
    if (this.#approvedTools.has(tool)) return true;
    const decision = await this.#decision(proposal, signal);
    signal.throwIfAborted();
    if (decision === 'approve-all') this.#approvedTools.add(tool);
    return decision === 'approve' || decision === 'approve-all';
  }

  /** Resolves when no change is being made. */
  async idle(): Promise<void> {
    await this.#last;
  }

  /** Asks for a change and makes it. Throws ToolFault where it cannot be made, and the signal's reason when it aborts. */
  async change(request: ChangeRequest, asker: Asker): Promise<GateOutcome> {
    const proposal = await this.#propose(request, asker);
    if (proposal.kind === 'change' && proposal.before === proposal.after) return { became: 'unchanged' };
    const decision: Decision = this.#approvesAll ? 'approve' : await this.#decision(proposal, asker.signal);
    asker.signal.throwIfAborted();
    if (decision === 'approve-all') this.#approvesAll = true;
    else if (decision !== 'approve') return { became: 'rejected' };
    return this.#inTurn(async () => {
      asker.signal.throwIfAborted();
      await this.#checkStill(proposal);
      const { diff: _, tool: __, ...kept } = proposal;
      const change = await this.#log.add({ ...kept, at: this.#now() });
      try {
        await this.#make(proposal);
        asker.made?.();
      } catch (error) {
        await this.#log.remove(change.id);
        throw error;
      }
      return { became: 'made', change };
    });
  }

  /**
   * Takes a change back; where the file is as it was before, that is all. Its person does that, so nobody is asked. Rejects with a
   * ChatError `conflict` if the file has changed since, and `missing` for a change that is not known or was taken back.
   */
  undo(id: string): Promise<Change> {
    return this.#inTurn(async () => {
      const change = await this.#log.find(id);
      if (change === undefined || change.undone === true) throw new ChatError('missing', 'This change is not there.');
      const { kind, path, to = path, before, after } = change;
      const conflict = (where: string) =>
        new ChatError('conflict', `"${where}" has changed since, so the change was not taken back.`);
      const there = await this.#textAt(path);
      const moved = kind === 'move' ? await this.#textAt(to) : undefined;
      // A program that ended in the middle has not made it, or its person has taken it back themselves.
      const isAsBefore = there === before && moved === undefined;
      if (!isAsBefore && kind === 'move') {
        if (there !== undefined) throw conflict(path);
        if (moved !== before) throw conflict(to);
        await this.#vault.rename(to, path);
      } else if (!isAsBefore) {
        if (there !== after) throw conflict(path);
        if (before === undefined) await this.#vault.delete(path);
        else await this.#vault.write(path, before);
      }
      return this.#log.markUndone(change);
    });
  }

  async #propose(request: ChangeRequest, { callId, tool }: Asker): Promise<FileProposal> {
    const path = await this.#view.confine(request.path);
    if (path === '') throw new ToolFault('Give the path of a file.');
    const stat = await this.#vault.stat(path);
    if (stat?.kind === 'folder') throw new ToolFault(`"${path}" is a folder. Give the path of a file.`);
    const before = stat === undefined ? undefined : await this.#vault.read(path);
    const who = { callId, tool, path };
    switch (request.kind) {
      case 'write': {
        const after = request.text;
        // Tools may come without types.
        if (typeof after !== 'string') throw new ToolFault('The text of a file must be a string.');
        const kind = before === undefined ? 'create' : 'change';
        const proposal = { ...who, kind, after, ...(before !== undefined && { before }) } as const;
        return { ...proposal, diff: diffOf(proposal) };
      }
      case 'move': {
        const to = await this.#view.confine(request.to);
        if (before === undefined) throw new ToolFault(`There is no file "${path}".`);
        if (to === '' || (await this.#vault.stat(to)) !== undefined) {
          throw new ToolFault(`There is something at "${to}" already. Give another path.`);
        }
        return { ...who, kind: 'move', to, before, diff: '' };
      }
      case 'delete':
        if (before === undefined) throw new ToolFault(`There is no file "${path}".`);
        return { ...who, kind: 'delete', before, diff: diffOf({ path, before }) };
      default:
        return request satisfies never;
    }
  }

  async #decision(proposal: Proposal, signal: AbortSignal): Promise<Decision> {
    signal.throwIfAborted();
    let stop = () => {};
    const aborted = new Promise<never>((_, reject) => {
      stop = () => reject(signal.reason);
    });
    signal.addEventListener('abort', stop, { once: true });
    // Frozen: whoever shows it cannot change what is then made.
    const asked = this.#ask(Object.freeze(proposal), { signal }).catch((): Decision => 'reject');
    try {
      return await Promise.race([asked, aborted]);
    } finally {
      signal.removeEventListener('abort', stop);
    }
  }

  async #checkStill({ path, to, before }: FileProposal): Promise<void> {
    // The folders on the way may have become links meanwhile.
    await this.#view.confine(path);
    if (to !== undefined) await this.#view.confine(to);
    const isFolder = (await this.#vault.stat(path))?.kind === 'folder';
    if (isFolder || (await this.#textAt(path)) !== before) {
      throw new ToolFault(
        `"${path}" has changed while its person was asked. Read it again and propose the change again.`,
      );
    }
    if (to !== undefined && (await this.#vault.stat(to)) !== undefined) {
      throw new ToolFault(`There is something at "${to}" already. Give another path.`);
    }
  }

  async #make({ kind, path, to, after }: FileProposal): Promise<void> {
    if (kind === 'move') await this.#vault.rename(path, to ?? path);
    else if (kind === 'delete') await this.#vault.delete(path);
    else await this.#vault.write(path, after ?? '');
  }

  async #textAt(path: string): Promise<string | undefined> {
    const stat = await this.#vault.stat(path);
    return stat?.kind === 'file' ? this.#vault.read(path) : undefined;
  }

  #inTurn<Result>(work: () => Promise<Result>): Promise<Result> {
    const done = this.#last.then(work, work);
    this.#last = done.catch(() => {});
    return done;
  }
}
