import type { ResultTable } from '../table.ts';

/** Each result under the name of its tool, plain: where a model's own frame is a turn, which is not ours to open. */
export const namedResult: ResultTable = {
  opener: 'Result of {name}:\n',
  closer: '',
  between: '\n\n',
  read: [{ text: 'Result of {name}:\n' }],
};
