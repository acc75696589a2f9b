import { startTestGateway } from '../../packages/server/test/start-test-gateway.ts';
import { askForCall, type ReadAnswer } from './call-apis.ts';
import { tools } from './questions.ts';
import { startLlama } from './start-servers.ts';

/** A model of 135M parameters that calls no tool by itself, and a server that is told which texts it may write. */
export interface HeldModel {
  ask(question: string, asking?: Asking): Promise<ReadAnswer>;
  stop(): Promise<void>;
}

interface Asking {
  readonly api?: string;
  readonly model?: string;
  /** Default: all. */
  readonly given?: typeof tools;
  readonly choice?: string;
  readonly stream?: boolean;
  readonly more?: Readonly<Record<string, unknown>>;
}

/** Starts both. An upstream is named for how it holds the model: `held`, `single`, `choice`, `off` or `schema`. */
export async function startHeldModel(): Promise<HeldModel> {
  const server = await startLlama({ window: 4096, tools: false });
  // What server it is, which the list tells, is known before anything is asked.
  const discovery = { wait: 30_000 };
  const of = (rule: object) => ({ wire: 'openai-chat', baseUrl: `${server.url}/v1`, anyModel: rule, discovery });
  // As a server that takes a schema only, and of which nobody knows that it is llama.cpp.
  const unknown = { discovery: { enabled: false }, quirks: { holdsSchemas: true } };
  const upstreams = {
    held: of({}),
    single: of({ policy: { maxCalls: 1 } }),
    choice: of({ constrainCalls: 'choice' }),
    off: of({ constrainCalls: 'off' }),
    schema: { ...of({ toolCalling: 'text', constrainCalls: 'choice' }), ...unknown },
  };
  const gateway = await startTestGateway({ config: { upstreams } });
  await fetch(`${gateway.url}/v1/models`);
  return {
    ask(question, asking = {}) {
      const { api = 'openai-chat', model = 'held/smollm2', choice = 'required', stream = false, more = {} } = asking;
      return askForCall(gateway.url, api, { model, question, tools: asking.given ?? tools, choice, stream, more });
    },
    async stop() {
      await gateway.close();
      await server.stop();
    },
  };
}

/** Figures that CI shows. */
export function report(line: string): void {
  process.stdout.write(`${line}\n`);
}
