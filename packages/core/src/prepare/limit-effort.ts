import { effortOf, nearestEffort } from '../chat/effort.ts';
import type { ChatRequest } from '../chat/request.ts';
import type { Warning } from '../chat/warning.ts';

/** A request whose effort the model knows. */
export interface LimitedEffort {
  readonly request: ChatRequest;
  readonly warnings: readonly Warning[];
}

/**
 * Asks a model only for efforts that it knows: others become the nearest, or are left out where none fits, and that is
 * told. `known` absent: the effort goes as it is.
 */
export function limitEffort(request: ChatRequest, known: readonly string[] | undefined): LimitedEffort {
  const effort = effortOf(request);
  if (known === undefined || effort === undefined) return { request, warnings: [] };
  const nearest = nearestEffort(effort, known);
  if (nearest === request.reasoningEffort) return { request, warnings: [] };
  const { reasoningEffort: _effort, reasoningBudget: _budget, ...rest } = request;
  // Not to think is what it does.
  if (effort === 'none' && known.length === 0) return { request: rest, warnings: [] };
  const became = nearest === undefined ? 'was left out' : `became "${nearest}"`;
  const why = known.length === 0 ? 'the model does not think' : 'the model rule lists those that the model knows';
  const message = `The effort "${effort.slice(0, 40)}" ${became}: ${why}.`;
  return {
    request: nearest === undefined ? rest : { ...rest, reasoningEffort: nearest },
    warnings: [{ code: 'field-dropped', message }],
  };
}
