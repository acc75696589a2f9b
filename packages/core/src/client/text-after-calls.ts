import type { ChatEvent } from '../chat/event.ts';
import { movedBlock } from '../chat/moved-block.ts';
import type { StageFactory } from '../stream/stage.ts';

/**
 * Leaves out all text that follows a whole call, for clients that take it for the answer. How much that was is told at
 * the end. Calls and reasoning pass, and blocks are numbered without a gap.
 */
export function createTextAfterCallsDrop(): StageFactory<ChatEvent, ChatEvent> {
  return (sink) => {
    let called = false;
    let dropped = 0;
    // How many blocks have been taken out; every later block moves up by so much.
    let missing = 0;
    const push = (event: ChatEvent): void => {
      if (called && (event.type === 'text-start' || event.type === 'text-delta' || event.type === 'text-end')) {
        if (event.type === 'text-start') missing += 1;
        else if (event.type === 'text-delta') dropped += event.text.length;
        return;
      }
      if (event.type === 'tool-call-end') called = true;
      if (dropped > 0 && (event.type === 'message-end' || event.type === 'error')) {
        const message = `${dropped} characters of text after a call were left out.`;
        sink({ type: 'warning', warning: { code: 'text-dropped', message } });
      }
      sink(movedBlock(event, -missing));
    };
    return { push, end: () => {} };
  };
}
