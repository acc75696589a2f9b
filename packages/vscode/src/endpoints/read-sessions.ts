import * as vscode from 'vscode';
import { isObject } from '../read-fields.ts';

/**
 * Whose keys they are: the server's, not the name's, so that no settings that name another server after a known one get its
 * keys.
 */
export const keyOwner = ({ url }: { readonly url: string }): string => new URL(url).origin;

/** A way to be let in by an endpoint. */
export type Session =
  | { readonly id: string; readonly label: string; readonly kind: 'key'; readonly key: string }
  /** A token that the command line of the vendor writes into a file of the workspace, and that expires. */
  | { readonly id: string; readonly label: string; readonly kind: 'token'; readonly token: string };

interface OwnedSessions {
  readonly active: string;
  readonly sessions: readonly Session[];
}

/** By whose they are. */
type AllSessions = Readonly<Record<string, OwnedSessions>>;

/** Gets a token of the vendor's command line: as it lies there, or a new one. */
export interface TokenSource {
  read(): Promise<string | undefined>;
  refresh(): Promise<string | undefined>;
}

const storageKey = 'dragoman.sessions';

/** A token is renewed so long before it expires, in milliseconds: the request that it is for may run for a while. */
const margin = 15 * 60_000;

/**
 * Keys and tokens of endpoints, in VS Code's secret storage: several for each endpoint, of which one is active. What cannot
 * be read is thrown away, so that a person can enter it anew.
 */
export class Sessions {
  readonly #secrets: vscode.SecretStorage;
  readonly #tokens: TokenSource;
  readonly #now: () => number;
  readonly #changed = new vscode.EventEmitter<void>();
  /** After every change, also one in another window. */
  readonly onDidChange = this.#changed.event;
  /** Asking the storage takes a way to another process and back, which no turn should wait for. */
  #known: Promise<AllSessions> | undefined;
  /** One change after the other, so that none is lost. */
  #writing: Promise<unknown> = Promise.resolve();

  constructor(options: {
    readonly secrets: vscode.SecretStorage;
    readonly tokens: TokenSource;
    readonly now?: () => number;
  }) {
    this.#secrets = options.secrets;
    this.#tokens = options.tokens;
    this.#now = options.now ?? Date.now;
  }

  /** Tells of changes that other windows make. */
  watch(): vscode.Disposable {
    return this.#secrets.onDidChange(({ key }) => {
      if (key !== storageKey) return;
      this.#known = undefined;
      this.#changed.fire();
    });
  }

  async list(owner: string): Promise<OwnedSessions> {
    return (await this.#read())[owner] ?? { active: '', sessions: [] };
  }

  /** The new one is active. */
  add(owner: string, session: Session): Promise<void> {
    return this.#change(owner, ({ sessions }) => ({
      active: session.id,
      sessions: [...sessions.filter(({ id }) => id !== session.id), session],
    }));
  }

  activate(owner: string, sessionId: string): Promise<void> {
    return this.#change(owner, (known) => ({ ...known, active: sessionId }));
  }

  /** Of those that are left the first becomes active. */
  remove(owner: string, sessionId: string): Promise<void> {
    return this.#change(owner, ({ active, sessions }) => {
      const left = sessions.filter(({ id }) => id !== sessionId);
      return { active: left.some(({ id }) => id === active) ? active : (left[0]?.id ?? ''), sessions: left };
    });
  }

  removeAll(owner: string): Promise<void> {
    return this.#change(owner, () => ({ active: '', sessions: [] }));
  }

  /** What requests to an endpoint carry; nothing where it needs no key. A token that expires soon is renewed first. */
  async credential(owner: string): Promise<string | undefined> {
    const { active, sessions } = await this.list(owner);
    const session = sessions.find(({ id }) => id === active);
    if (session === undefined || session.kind === 'key') return session?.key;
    if (expiryOf(session.token) - this.#now() > margin) return session.token;
    const token = await this.#renewed();
    if (token === undefined || token === session.token) return session.token;
    await this.add(owner, { ...session, token });
    return token;
  }

  /** What lies in the file may be newer than what is known; if that expires soon, too, the command line is asked. */
  async #renewed(): Promise<string | undefined> {
    const read = await this.#tokens.read();
    if (read !== undefined && expiryOf(read) - this.#now() > margin) return read;
    return (await this.#tokens.refresh()) ?? read;
  }

  #change(owner: string, change: (known: OwnedSessions) => OwnedSessions): Promise<void> {
    const changed = this.#writing.then(async () => {
      const all = await this.#load();
      const next = change(all[owner] ?? { active: '', sessions: [] });
      const { [owner]: _, ...others } = all;
      await this.#secrets.store(
        storageKey,
        JSON.stringify(next.sessions.length === 0 ? others : { ...all, [owner]: next }),
      );
    });
    this.#writing = changed.catch(() => {});
    return changed;
  }

  #read(): Promise<AllSessions> {
    const known = this.#known ?? this.#load();
    this.#known = known;
    // What failed is asked again.
    known.catch(() => {
      this.#known = undefined;
    });
    return known;
  }

  async #load(): Promise<AllSessions> {
    const text = await this.#secrets.get(storageKey);
    if (text === undefined) return {};
    const value = parsed(text);
    if (isObject(value) && Object.values(value).every(isOwnedSessions)) return value as Record<string, OwnedSessions>;
    await this.#secrets.delete(storageKey);
    return {};
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function isOwnedSessions(value: unknown): boolean {
  if (!isObject(value) || typeof value.active !== 'string' || !Array.isArray(value.sessions)) return false;
  return value.sessions.every(
    (session) =>
      isObject(session) &&
      typeof session.id === 'string' &&
      typeof (session.kind === 'key' ? session.key : session.kind === 'token' ? session.token : undefined) === 'string',
  );
}

/** When a JSON web token expires, in milliseconds; never where it does not say. */
export function expiryOf(token: string): number {
  const body = token.split('.')[1];
  if (body === undefined) return Number.POSITIVE_INFINITY;
  try {
    const claims: unknown = JSON.parse(atob(body.replaceAll('-', '+').replaceAll('_', '/')));
    return isObject(claims) && typeof claims.exp === 'number' ? claims.exp * 1000 : Number.POSITIVE_INFINITY;
  } catch {
    return Number.POSITIVE_INFINITY;
  }
}
