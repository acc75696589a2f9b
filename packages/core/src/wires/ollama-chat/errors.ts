import type { DragomanError } from '../../errors.ts';
import { isAbsent, isObject } from '../read-values.ts';

/**
 * The body of an error answer, and the last line of a stream that broke. Clients show the string as it is, so the id under
 * which the log holds the error is beside it.
 */
export function writeError(error: DragomanError): { readonly error: string; readonly error_id?: string } {
  return { error: error.message, ...(error.errorId === undefined ? {} : { error_id: error.errorId }) };
}

export function hasError(value: unknown): boolean {
  return isObject(value) && !isAbsent(value.error);
}
