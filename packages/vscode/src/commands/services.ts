import type { AnswerServices } from '../answer-turn.ts';
import type { Pages } from '../diagnosis/pages.ts';
import type { Sessions } from '../endpoints/read-sessions.ts';
import type { LogFiles } from '../log/log-files.ts';
import type { LearntFacts } from '../models/learnt-limits.ts';

/** What commands work with. */
export interface CommandServices extends AnswerServices {
  readonly facts: LearntFacts;
  readonly pages: Pages;
  readonly sessions: Sessions;
  readonly logFiles: LogFiles;
  readonly showLog: () => void;
  readonly clearLog: () => void;
  readonly version: string;
}
