import { type EngineSetup, MemoryCallIdStore, MemoryConversationStore } from '@dragoman/core';

/**
 * The engine's setup for each caller, by the name of its key: they differ in the call ids and conversations that are kept for
 * them, which share a bound each. Made once for each caller.
 */
export function createCallerSetups(
  setup: EngineSetup,
  options: { readonly callIdSize: number; readonly conversationSize: number },
): (owner: string) => EngineSetup {
  const callIds = new MemoryCallIdStore({ maxSize: options.callIdSize });
  const conversations = new MemoryConversationStore({ maxSize: options.conversationSize });
  const setups = new Map<string, EngineSetup>();
  return (owner) => {
    let own = setups.get(owner);
    if (own === undefined) {
      own = { ...setup, callIds: callIds.of(owner), conversations: conversations.of(owner) };
      setups.set(owner, own);
    }
    return own;
  };
}
