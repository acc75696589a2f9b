import type { ChatEvent } from '../chat/event.ts';
import { movedBlock } from '../chat/moved-block.ts';
import type { StageFactory } from '../stream/stage.ts';

/**
 * Lets a call out only when it is whole, as one delta. A call that was cut never shows: its text, which follows a cut
 * anyway, is all that is left of it. For clients that run a call as soon as they see its name.
 */
export function createCallHold(): StageFactory<ChatEvent, ChatEvent> {
  return (sink) => {
    let held: Extract<ChatEvent, { type: 'tool-call-start' }> | undefined;
    // How many blocks have been taken out; every later block moves up by so much.
    let missing = 0;

    const letOut = (text: string): void => {
      if (held === undefined) return;
      const block = held.block - missing;
      sink({ type: 'tool-call-start', block, callId: held.callId, name: held.name });
      sink({ type: 'tool-call-delta', block, text });
      sink({ type: 'tool-call-end', block, arguments: text });
      held = undefined;
    };

    const push = (event: ChatEvent): void => {
      switch (event.type) {
        case 'tool-call-start':
          held = event;
          return;
        case 'tool-call-delta':
          return;
        case 'tool-call-end':
          letOut(event.arguments);
          return;
        case 'tool-call-cut':
          held = undefined;
          missing += 1;
          return;
        default:
          sink(movedBlock(event, -missing));
      }
    };
    return { push, end: () => {} };
  };
}
