import { createEscape } from '../chat/escape.ts';
import type { SearchedMarker } from '../chat/marker-search.ts';
import type { ResultStatus, ToolResult } from '../chat/tool.ts';
import type { ResultFormat } from '../plan/rules.ts';

/** The wordings that work for any model. `native` is not among them: that one is the dialect's own. */
export type ResultWording = Exclude<ResultFormat, 'native'>;

/** How results are worded; each field has a default. */
export interface ResultWordingOptions {
  /** Default `detailed`. */
  readonly format?: ResultWording;
  /** Status marks as plain words instead of symbols. */
  readonly ascii?: boolean;
}

/** What opens and closes the frames of these wordings. Results can't contain it: it is escaped in their text. */
export const resultMarkers: readonly SearchedMarker[] = [
  { text: '[Tool Result', anyCase: true },
  { text: '[End of Tool Result', anyCase: true },
];

const escaping = createEscape(resultMarkers);

/**
 * The results of one round as text, in the given order, with a blank line between them. `detailed` and `fields` name
 * the call, its arguments and its status; `conversational` says the same in a sentence; `simple` names only the tool;
 * `header` is a heading with the call's id. No text of a result can close its frame or open another one.
 */
export function formatToolResults(results: readonly ToolResult[], options: ResultWordingOptions = {}): string {
  return results.map((result, index) => wording(result, { ...options, number: index + 1 })).join('\n\n');
}

function wording(result: ToolResult, options: ResultWordingOptions & { readonly number: number }): string {
  const { name, callId } = result.call;
  const text = escaping(result.text).text;
  const given = escaping(result.call.arguments === '' ? '{}' : result.call.arguments).text;
  const status = statusMark(result.status, options.ascii ?? false);
  const format = options.format ?? 'detailed';
  switch (format) {
    case 'detailed':
      return [
        `[Tool Result ${options.number}: ${name}]`,
        `Arguments: ${given}`,
        `Status: ${status}`,
        'Result:',
        text,
        `[End of Tool Result ${options.number}]`,
      ].join('\n');
    case 'fields':
      return [
        `[Tool Result ${options.number}]`,
        `Tool Call: ${name}`,
        `Arguments: ${given}`,
        `Status: ${status}`,
        `Result: ${text}`,
        `[End of Tool Result ${options.number}]`,
      ].join('\n');
    case 'simple':
      return `[Tool Result: ${name}${result.status === 'ok' ? '' : ` (${status})`}]\n${text}\n[End of Tool Result]`;
    case 'conversational':
      return `You called ${name} with ${given}. ${sentence(result.status)}\n[Tool Result]\n${text}\n[End of Tool Result]`;
    case 'header': {
      const failed = result.status === 'ok' ? '' : `Status: ${status}\n`;
      return `[Tool Result: ${name}]\nTool Call ID: ${callId}\n${failed}\nResult:\n${text}`;
    }
    default:
      return format satisfies never;
  }
}

function statusMark(status: ResultStatus, ascii: boolean): string {
  switch (status) {
    case 'ok':
      return ascii ? 'SUCCESS' : '✓ success';
    case 'error':
      return ascii ? 'ERROR' : '✗ error';
    case 'missing':
      return ascii ? 'MISSING' : '? missing';
    default:
      return status satisfies never;
  }
}

function sentence(status: ResultStatus): string {
  switch (status) {
    case 'ok':
      return 'It succeeded and returned:';
    case 'error':
      return 'It failed and said:';
    case 'missing':
      return 'Its result is missing:';
    default:
      return status satisfies never;
  }
}
