import type { ChatEvent } from '../chat/event.ts';
import type { StageFactory } from '../stream/stage.ts';

/**
 * Ends a loop of calls, after a limit that lets none through: the reply says that it was ended, after all that the
 * model said, and is over with it. `only`: it is said only where the model said nothing, because its answer has a form that
 * words would break.
 */
export function createStopNotice(
  notice: string,
  { only }: { readonly only: boolean },
): StageFactory<ChatEvent, ChatEvent> {
  return (sink) => {
    let said = false;
    let block = -1;

    const report = (): void => {
      if (said && only) return;
      block += 1;
      sink({ type: 'text-start', block });
      sink({ type: 'text-delta', block, text: said ? `\n\n${notice}` : notice });
      sink({ type: 'text-end', block });
    };

    const push = (event: ChatEvent): void => {
      if ('block' in event) block = event.block;
      if (event.type === 'text-delta') said ||= event.text.trim() !== '';
      if (event.type !== 'message-end') {
        sink(event);
        return;
      }
      report();
      sink(event);
    };
    return { push, end: () => {} };
  };
}
