import { type EngineSetup, MemoryCallIdStore } from '@dragoman/core';

/**
 * The engine's setup for each caller, by the name of its key: they differ in the call ids that are kept for them, which
 * share one bound. Made once for each caller.
 */
export function createCallerSetups(
  setup: EngineSetup,
  options: { readonly maxSize: number },
): (owner: string) => EngineSetup {
  const store = new MemoryCallIdStore(options);
  const setups = new Map<string, EngineSetup>();
  return (owner) => {
    let own = setups.get(owner);
    if (own === undefined) {
      own = { ...setup, callIds: store.of(owner) };
      setups.set(owner, own);
    }
    return own;
  };
}
