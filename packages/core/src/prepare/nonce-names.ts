import type { ChatEvent } from '../chat/event.ts';
import { quoteName } from '../chat/warning.ts';
import type { StageFactory } from '../stream/stage.ts';
import type { CallNonce } from './call-nonce.ts';

/**
 * Gives calls the names that the client declared. What was read out of text has the nonce; a native call may lack it, of a
 * server that reads calls by itself: it is held back, and a warning says it all.
 */
export function createNonceNames(nonce: CallNonce): StageFactory<ChatEvent, ChatEvent> {
  return (sink) => {
    let whole = 0;
    /** The call that is held back. */
    let held: string | undefined;
    // How many blocks have been taken out; every later block moves up by so much.
    let missing = 0;

    const start = (event: ChatEvent & { readonly type: 'tool-call-start' }): void => {
      const name = nonce.declaredName(event.name);
      if (name !== undefined) sink({ ...event, name, block: event.block - missing });
      else {
        held = event.name;
        missing += 1;
      }
    };

    const push = (event: ChatEvent): void => {
      if (event.type === 'tool-call-start') start(event);
      else if (held !== undefined && event.type === 'tool-call-delta') return;
      else if (held !== undefined && (event.type === 'tool-call-end' || event.type === 'tool-call-cut')) {
        const given = event.type === 'tool-call-end' ? ` Its arguments: ${event.arguments}` : '';
        const message = `A call of ${quoteName(held)} came without the nonce and was held back.${given}`;
        sink({ type: 'warning', warning: { code: 'call-undeclared', message } });
        held = undefined;
      } else {
        if (event.type === 'tool-call-end') whole += 1;
        const isEnd = event.type === 'message-end' && event.finishReason === 'tool-calls' && whole === 0;
        if (isEnd) sink({ ...event, finishReason: 'stop' });
        else sink(missing > 0 && 'block' in event ? { ...event, block: event.block - missing } : event);
      }
    };
    return { push, end: () => {} };
  };
}
