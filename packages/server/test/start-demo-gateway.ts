import { dialects } from '@dragoman/core';
import { createDemoUpstream } from '../src/transports/scripted/demo-upstream.ts';
import type { ModelTurn } from '../src/transports/scripted/scripted-transport.ts';
import { startTestGateway, type TestGateway } from './start-test-gateway.ts';

/** A gateway before the demo models, which write as fast as they can. */
export interface DemoGateway extends TestGateway {
  readonly baseURL: string;
  /** Every turn of the demo models: the prompt as the model saw it and the reply as it wrote it. */
  readonly turns: ModelTurn[];
}

/** The demo models by the names that clients use, one for each dialect. */
export const demoModels = [...dialects.keys()].map((id) => `demo/${id}`);

export async function startDemoGateway(): Promise<DemoGateway> {
  const turns: ModelTurn[] = [];
  const demo = createDemoUpstream({ pace: 0, tap: (turn) => turns.push(turn) });
  const gateway = await startTestGateway({
    alter: (setup) => ({ ...setup, upstreams: new Map([...setup.upstreams, [demo.name, demo]]) }),
  });
  return { ...gateway, baseURL: `${gateway.url}/v1`, turns };
}
