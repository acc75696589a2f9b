import { anyDialect, DragomanError, type EngineSetup, type ModelEntry, planRequest } from '@dragoman/core';
import { chatRequestOf } from '../probe/chat-request-of.ts';

/** How a model writes calls, as a request for it would be planned, and by what was learnt of it, if by that. */
export function toolCallingOf({ id, rule }: ModelEntry, setup: EngineSetup): string {
  const { toolCalling } = rule;
  const said = typeof toolCalling === 'string' ? toolCalling : toolCalling.dialect;
  const planned = plannedFor(id, setup);
  return planned === said ? said : `${said} → ${planned}`;
}

function plannedFor(model: string, setup: EngineSetup): string {
  try {
    const { toolCalling, dialect, facts } = planRequest(chatRequestOf({ model }), setup);
    if (toolCalling === 'none') return 'none (toolCalling is off)';
    const words = toolCalling === anyDialect ? `${dialect}, reads all` : toolCalling;
    return facts?.tools === undefined ? words : `${words} (learnt: ${facts.tools})`;
  } catch (thrown) {
    // A model that cannot be planned says so when it is asked for; the others serve.
    if (thrown instanceof DragomanError) return thrown.message;
    throw thrown;
  }
}
