import { Session } from 'node:inspector/promises';

/** How much of one module ran, in characters of its compiled form. */
export interface ModuleCoverage {
  /** The file's path. */
  readonly path: string;
  readonly total: number;
  /** What did not run, in pieces. */
  readonly missed: readonly string[];
}

/**
 * Runs `act` and tells of each module that was loaded meanwhile how much of it ran. Modules that were loaded before
 * count only what ran since, so `act` imports what is to be measured, after `vi.resetModules()`.
 */
export async function measureCoverage(act: () => Promise<void>): Promise<readonly ModuleCoverage[]> {
  const session = new Session();
  session.connect();
  await session.post('Profiler.enable');
  await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: true });
  await act();
  const { result } = await session.post('Profiler.takePreciseCoverage');
  await session.post('Profiler.stopPreciseCoverage');
  await session.post('Debugger.enable');
  const measured: ModuleCoverage[] = [];
  for (const { url, scriptId, functions } of result) {
    if (!url.startsWith('file://') && !url.startsWith('/')) continue;
    const { scriptSource } = await session.post('Debugger.getScriptSource', { scriptId });
    const code = withoutSourceMap(scriptSource);
    const missed = missedPieces(
      functions.flatMap((each) => each.ranges),
      code,
    );
    measured.push({ path: url.replace('file://', ''), total: code.length, missed });
  }
  session.disconnect();
  return measured;
}

/** The map in the last line is no code. */
function withoutSourceMap(code: string): string {
  const at = code.lastIndexOf('\n//# sourceMapping');
  return at < 0 ? code : code.slice(0, at);
}

/** What the test runner's module loader puts around every export. */
const loaderPiece = 'catch {}';

interface Range {
  readonly startOffset: number;
  readonly endOffset: number;
  readonly count: number;
}

/** Of ranges that lie within each other the innermost one says whether its characters ran. */
function missedPieces(ranges: readonly Range[], code: string): readonly string[] {
  const outerFirst = [...ranges].sort((a, b) => a.startOffset - b.startOffset || b.endOffset - a.endOffset);
  const open: Range[] = [];
  const missed: string[] = [];
  let at = 0;
  const moveTo = (offset: number): void => {
    if (offset > at && open.at(-1)?.count === 0) missed.push(code.slice(at, offset));
    at = Math.max(at, offset);
  };
  const closeUntil = (offset: number): void => {
    for (let last = open.at(-1); last !== undefined && last.endOffset <= offset; last = open.at(-1)) {
      moveTo(last.endOffset);
      open.pop();
    }
  };
  for (const range of outerFirst) {
    closeUntil(range.startOffset);
    moveTo(range.startOffset);
    open.push(range);
  }
  closeUntil(Number.POSITIVE_INFINITY);
  return missed.filter((piece) => piece.trim() !== '' && piece !== loaderPiece);
}
