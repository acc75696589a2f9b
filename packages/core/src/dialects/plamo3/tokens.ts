/** The token that begins or ends a part of a message. */
export function token(place: 'begin' | 'end', part: string): string {
  return `<|plamo:${place}_${part}:plamo|>`;
}

/** What a call's block of arguments says in front of them: that they are JSON. */
export const constrainJson = '<|plamo:constrain|>json';
export const message = '<|plamo:msg|>';
export const endOfTurn = '<|plamo:tag|>';
