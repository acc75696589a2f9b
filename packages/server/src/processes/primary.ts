import { type ChildProcess, fork } from 'node:child_process';
import { createServer, type Server, type Socket } from 'node:net';
import { listen } from '../http/listen.ts';
import type { Log } from '../log/create-log.ts';
import { heartbeat, type MemberPlace, memberVariable } from './member.ts';
import type { Answer, Answers, Question, ToMember, ToPrimary } from './siblings.ts';

export interface PrimaryOptions {
  /** So many processes serve. */
  readonly count: number;
  readonly log: Pick<Log, 'info' | 'warn' | 'error'>;
  /** Takes the lines that the processes write on standard error; absent: they go where ours go. */
  readonly collect?: ((lines: string) => void) | undefined;
}

/** Milliseconds until a process is started in the place of one that ended: doubled from the shortest to the longest. */
const pause = { shortest: 250, longest: 30_000 };

/** Milliseconds after which a process that ends has not failed at its start. */
const steady = 30_000;

/** Milliseconds that processes have to answer a question, and to end when their replies have been broken off. */
const patience = { answer: 1_000, end: 5_000 };

/** A process of which nothing is heard for so many heartbeats hangs: nothing that a request may cost takes as long. */
const mostMissed = 10;

/**
 * Bytes that are free at the end of glibc's memory before it gives them back. Where nobody sets it, glibc raises it to twice the longest
 * block that was ever freed: 7 MB of an idle process.
 */
const keptFree = String(128 * 1024);

/** Connections that wait while no process can take them; beyond that they are closed. */
const mostWaiting = 1_024;

/** One of the processes that serve. */
interface Member {
  readonly child: ChildProcess;
  readonly startedAt: number;
  /** The place that it has; undefined once another process has that. */
  place: Place | undefined;
  /** Heartbeats since it was last heard; undefined until it serves. */
  missed: number | undefined;
  /** Connections that it was given and has not said to have. */
  readonly given: Map<number, Socket>;
}

interface Place {
  readonly number: number;
  /** Processes that have ended soon after their start, one after the other. */
  failures: number;
}

interface Gathering {
  readonly waitedFor: Set<Member>;
  readonly answers: Answer[];
  readonly done: () => void;
}

/**
 * The first process: it has the port, gives each connection to one of the processes that serve, in turn, and keeps those
 * going. A connection is its own until a process says that it has it, so that none is lost with a process that ends. It hands
 * on what people ask of all, and what they ask each other.
 */
export class Primary {
  readonly #options: PrimaryOptions;
  readonly #server: Server;
  readonly #members = new Set<Member>();
  /** Those that take connections, the next one first. */
  #ready: Member[] = [];
  #waiting: Socket[] = [];
  readonly #gatherings = new Map<number, Gathering>();
  #shared: Omit<MemberPlace, 'number' | 'isFirst'> = { port: 0 };
  #numbers = 0;
  #replaced = 0;
  #stopping = false;
  /** Hears that the first process takes connections, or the exit code with which it has ended before. */
  #started: ((code: number | undefined) => void) | undefined;
  #ended: () => void = () => {};

  constructor(options: PrimaryOptions) {
    this.#options = options;
    // What a client has sent stays for the process that gets the connection.
    this.#server = createServer({ pauseOnConnect: true, allowHalfOpen: true }, (socket) => this.#give(socket));
    setInterval(() => this.#endHanging(), heartbeat).unref();
  }

  /** Opens the port, and returns it. Rejects with Node's own error. */
  async listen(host: string, port: number): Promise<number> {
    await listen(this.#server, { host, port });
    const { log } = this.#options;
    this.#server.on('error', ({ message }) => log.error(`a connection was not accepted: ${message}`));
    const address = this.#server.address();
    return typeof address === 'object' && address !== null ? address.port : port;
  }

  /**
   * Starts the processes, the first one alone: what keeps it from serving would keep the others. Resolves with its exit code
   * where it has ended, having said why, and with undefined when it serves.
   */
  async start(shared: Omit<MemberPlace, 'number' | 'isFirst'>): Promise<number | undefined> {
    this.#shared = shared;
    const started = new Promise<number | undefined>((resolve) => {
      this.#started = resolve;
    });
    this.#begin({ number: 1, failures: 0 });
    const code = await started;
    this.#started = undefined;
    if (code !== undefined) {
      this.#server.close();
      return code;
    }
    for (let number = 2; number <= this.#options.count; number += 1) this.#begin({ number, failures: 0 });
    return undefined;
  }

  reload(): void {
    this.#sendAll({ type: 'reload' });
  }

  /** Replies finish, each process ends when its own are over, and none takes its place. Resolves when all have ended. */
  drain(): Promise<void> {
    this.#stopping = true;
    this.#sendAll({ type: 'drain' });
    return new Promise((resolve) => {
      this.#ended = resolve;
      this.#endIfAlone();
    });
  }

  /** Breaks replies off. A process that has not ended soon is ended. */
  close(): void {
    this.#sendAll({ type: 'close' });
    const end = () => {
      for (const { child } of this.#members) child.kill('SIGKILL');
    };
    setTimeout(end, patience.end).unref();
  }

  #begin(place: Place): void {
    const isFirst = this.#started !== undefined;
    const at: MemberPlace = { ...this.#shared, number: place.number, isFirst };
    const { collect } = this.#options;
    const child = fork(process.argv[1] ?? '', process.argv.slice(2), {
      env: { MALLOC_TRIM_THRESHOLD_: keptFree, ...process.env, [memberVariable]: JSON.stringify(at) },
      stdio: ['inherit', 'inherit', collect === undefined ? 'inherit' : 'pipe', 'ipc'],
    });
    const member: Member = { child, startedAt: performance.now(), place, missed: undefined, given: new Map() };
    this.#members.add(member);
    child.on('message', (message: ToPrimary) => this.#hear(member, message));
    // It may end before it takes what it is told.
    child.on('error', () => {});
    child.once('exit', (code, signal) => this.#exited(member, { code, signal }));
    if (collect !== undefined) passLines(child, collect);
  }

  /** Beats are counted, not time: where this process was stopped, too, the others are not to blame. */
  #endHanging(): void {
    for (const member of this.#members) {
      if (member.missed === undefined || !member.child.connected) continue;
      member.missed += 1;
      if (member.missed !== mostMissed) continue;
      this.#options.log.error(`process ${member.child.pid}, one of ${this.#options.count}, hangs and is ended`);
      member.child.kill('SIGKILL');
    }
  }

  #hear(member: Member, message: ToPrimary): void {
    if (member.missed !== undefined) member.missed = 0;
    switch (message.type) {
      case 'alive':
        return;
      case 'ready':
        member.missed = 0;
        this.#ready.push(member);
        this.#started?.(undefined);
        for (const socket of this.#waiting.splice(0)) this.#give(socket);
        return;
      case 'taken':
        // Its process has one of its own.
        member.given.get(message.number)?.destroy();
        member.given.delete(message.number);
        return;
      case 'failing':
        this.#leave(member);
        this.#replace(member, 'has failed by a bug in Dragoman and only finishes what it has begun');
        return;
      case 'learnt':
        for (const other of this.#ready) if (other !== member) send(other, message);
        return;
      case 'question':
        void this.#gather(member, message.question).then((answers) =>
          send(member, { type: 'answers', number: message.number, answers }),
        );
        return;
      case 'answer':
        this.#answered(member, message);
        return;
      default:
        message satisfies never;
    }
  }

  #give(socket: Socket): void {
    const member = this.#ready.shift();
    // A client may go while its connection waits.
    socket.on('error', () => {});
    if (member === undefined) {
      if (this.#waiting.length >= mostWaiting) socket.destroy();
      else this.#waiting.push(socket);
      return;
    }
    this.#ready.push(member);
    this.#numbers += 1;
    const number = this.#numbers;
    member.given.set(number, socket);
    member.child.send({ type: 'connection', number } satisfies ToMember, socket, { keepOpen: true }, (failure) => {
      if (failure !== null && member.given.delete(number)) this.#give(socket);
    });
  }

  #gather(asker: Member, question: Question): Promise<Answers> {
    this.#numbers += 1;
    const number = this.#numbers;
    const answers: Answer[] = [];
    const waitedFor = new Set(this.#ready.filter((member) => member !== asker));
    return new Promise((resolve) => {
      const done = () => {
        clearTimeout(timer);
        this.#gatherings.delete(number);
        resolve({ answers, wanted: this.#options.count, replaced: this.#replaced });
      };
      const timer = setTimeout(done, patience.answer);
      this.#gatherings.set(number, { waitedFor, answers, done });
      for (const member of waitedFor) send(member, { type: 'question', number, question });
      if (waitedFor.size === 0) done();
    });
  }

  #answered(member: Member, { number, answer }: { readonly number: number; readonly answer: Answer }): void {
    const gathering = this.#gatherings.get(number);
    if (gathering?.waitedFor.delete(member) !== true) return;
    gathering.answers.push(answer);
    if (gathering.waitedFor.size === 0) gathering.done();
  }

  #exited(member: Member, { code, signal }: { readonly code: number | null; readonly signal: string | null }): void {
    this.#members.delete(member);
    this.#leave(member);
    for (const socket of member.given.values()) this.#give(socket);
    member.given.clear();
    if (this.#started === undefined)
      this.#replace(member, `has ended (${signal ?? `exit code ${code}`}); what ran in it is broken off`);
    else this.#started(code ?? 1);
    this.#endIfAlone();
  }

  /** It is given nothing and asked nothing any more. */
  #leave(member: Member): void {
    this.#ready = this.#ready.filter((each) => each !== member);
    for (const { waitedFor, done } of [...this.#gatherings.values()]) {
      if (waitedFor.delete(member) && waitedFor.size === 0) done();
    }
  }

  /** Starts another process in its place, once: soon where it had run well, and later and later where none does. */
  #replace(member: Member, why: string): void {
    const { place } = member;
    member.place = undefined;
    if (place === undefined || this.#stopping) return;
    const hasRun = performance.now() - member.startedAt >= steady;
    const failures = hasRun ? 0 : place.failures + 1;
    const wait = hasRun ? 0 : Math.min(pause.shortest * 2 ** (failures - 1), pause.longest);
    this.#options.log.error(
      `process ${member.child.pid}, one of ${this.#options.count}, ${why}; another takes its place ${wait === 0 ? 'now' : `in ${wait} ms`}`,
    );
    this.#replaced += 1;
    setTimeout(() => {
      if (!this.#stopping) this.#begin({ ...place, failures });
    }, wait);
  }

  #endIfAlone(): void {
    if (!this.#stopping || this.#members.size > 0) return;
    this.#server.close();
    for (const socket of this.#waiting.splice(0)) socket.destroy();
    this.#ended();
  }

  #sendAll(message: ToMember): void {
    for (const member of this.#members) send(member, message);
  }
}

function send({ child }: Member, message: ToMember): void {
  if (child.connected) child.send(message, undefined, undefined, () => {});
}

/** Whole lines only: several processes write at once. */
function passLines({ stderr }: ChildProcess, collect: (lines: string) => void): void {
  let rest = '';
  stderr?.setEncoding('utf8').on('data', (text: string) => {
    const end = text.lastIndexOf('\n') + 1;
    if (end > 0) collect(rest + text.slice(0, end));
    rest = end > 0 ? text.slice(end) : rest + text;
  });
  stderr?.once('end', () => rest !== '' && collect(`${rest}\n`));
}
