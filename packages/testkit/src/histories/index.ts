// Stories of clients need the whole engine, so tests of a part do not load them with the rest of the testkit.
export { type Act, anyAct, anyStyle } from './act.ts';
export { type ClientStyle, knownStyles, plainStyle } from './client-style.ts';
export type { ClientOptions } from './history-client.ts';
export type { Judgement } from './judge.ts';
export type { HistoryGateway, Received, Sending } from './memory-gateway.ts';
export { World, type WorldOptions } from './world.ts';
