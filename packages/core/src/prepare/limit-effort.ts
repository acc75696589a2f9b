import { effortOf, nearestEffort } from '../chat/effort.ts';
import type { Issue } from '../chat/issue.ts';
import type { ChatRequest } from '../chat/request.ts';

/** A request whose effort the model knows. */
export interface LimitedEffort {
  readonly request: ChatRequest;
  readonly issues: readonly Issue[];
}

/**
 * Asks a model only for efforts that it knows: others become the nearest, or are left out where none fits, and that is
 * told. `known` absent: the effort goes as it is.
 */
export function limitEffort(request: ChatRequest, known: readonly string[] | undefined): LimitedEffort {
  const effort = effortOf(request);
  if (known === undefined || effort === undefined) return { request, issues: [] };
  const nearest = nearestEffort(effort, known);
  if (nearest === request.reasoningEffort) return { request, issues: [] };
  const { reasoningEffort: _effort, reasoningBudget: _budget, ...rest } = request;
  // Not to think is what it does.
  if (effort === 'none' && known.length === 0) return { request: rest, issues: [] };
  const became = nearest === undefined ? 'was left out' : `became "${nearest}"`;
  const why = known.length === 0 ? 'the model does not think' : 'the model rule lists those that the model knows';
  const message = `The effort "${effort.slice(0, 40)}" ${became}: ${why}.`;
  return {
    request: nearest === undefined ? rest : { ...rest, reasoningEffort: nearest },
    issues: [{ code: 'field-dropped', message }],
  };
}
