import { describe, expect, it } from 'vitest';
import { DragomanError, toDragomanError } from '../../errors.ts';
import { readSocketMessage, writeSocketError } from './socket-messages.ts';

const create = { type: 'response.create', model: 'm', input: 'Hi' };

function refusal(message: unknown): DragomanError {
  try {
    readSocketMessage(message);
  } catch (thrown) {
    return toDragomanError(thrown);
  }
  throw new Error('it was not refused');
}

describe('a message in a WebSocket', () => {
  it('is a body that is streamed, whether it says so or not', () => {
    const body = { model: 'm', input: 'Hi', stream: true };
    expect(readSocketMessage(create)).toEqual({ kind: 'create', body, generate: true });
    expect(readSocketMessage({ ...create, stream: true })).toEqual({ kind: 'create', body, generate: true });
    expect(readSocketMessage({ ...create, background: false })).toMatchObject({ kind: 'create' });
  });

  it('may only prepare the next one', () => {
    expect(readSocketMessage({ ...create, generate: false })).toMatchObject({ generate: false });
  });

  it('may tell what needs no answer', () => {
    expect(readSocketMessage({ type: 'response.processed', response_id: 'resp_1' })).toEqual({ kind: 'note' });
  });

  it.each([
    [null, 'bad-request', 'type'],
    ['{}', 'bad-request', 'type'],
    [{}, 'bad-request', 'type'],
    [{ ...create, type: 'response.cancel' }, 'bad-request', 'type'],
    [{ ...create, stream: false }, 'bad-request', 'stream'],
    [{ ...create, generate: 'no' }, 'bad-request', 'generate'],
    [{ ...create, background: true }, 'unsupported-field', 'background'],
    [{ ...create, stream_id: 'a' }, 'unsupported-field', 'stream_id'],
  ])('%j is refused', (message, code, param) => {
    expect(refusal(message)).toMatchObject({ code, param });
  });
});

describe('an error in a WebSocket', () => {
  it('has a status, and in place of headers what they would say', () => {
    const error = new DragomanError('draining', 'Not now.', { errorId: 'err_1' });
    const told = { message: 'Not now.', type: 'server_error', param: '', code: 'draining', error_id: 'err_1' };
    expect(writeSocketError(error)).toEqual({ type: 'error', status: 503, error: told });
    expect(writeSocketError(error, '5')).toMatchObject({ headers: { 'retry-after': '5' } });
  });
});
