import { spellings } from '../parser/markers/repaired-literals.ts';

/** What the templates of all Command models are made of. */
export const cohereMarkers: readonly string[] = [
  ...['ACTION', 'THINKING', 'RESPONSE', 'TEXT', 'TOOL_RESULT'].flatMap((word) => [
    `<|START_${word}|>`,
    `<|END_${word}|>`,
  ]),
  '<|START_OF_TURN_TOKEN|>',
  '<|END_OF_TURN_TOKEN|>',
  '<|SYSTEM_TOKEN|>',
  '<|USER_TOKEN|>',
  '<|CHATBOT_TOKEN|>',
];

/** What opens a turn of the other side there; results are in one of the system. */
export const cohereTurns: readonly string[] = spellings(
  ['<|START_OF_TURN_TOKEN|>', ''],
  ['<|SYSTEM_TOKEN|>', '<|USER_TOKEN|>'],
);
