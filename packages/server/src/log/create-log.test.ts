import { expect, it } from 'vitest';
import { createLog, type Log, type LogOptions } from './create-log.ts';
import { createRedact } from './redact.ts';
import { noteWarning, RequestNote } from './request-note.ts';

function logged(options: Partial<LogOptions>, use: (log: Log) => void): string[] {
  const lines: string[] = [];
  const target = { write: (line: string) => void lines.push(line) };
  use(createLog({ level: 'info', format: 'json', target, redact: createRedact(['sk-secret-key']), ...options }));
  return lines;
}

const note = (): RequestNote =>
  new RequestNote({ requestId: 'req_1', method: 'POST', route: '/v1/chat/completions', key: 'me' });

it('writes one JSON line a request, with counts instead of content', () => {
  const [line = '', ...more] = logged({}, (log) => {
    const told = { ...note(), calls: 2, finish: 'tool-calls' };
    noteWarning(told, 'name-repaired');
    noteWarning(told, 'name-repaired');
    log.request(told, { status: 200, ms: 12.345 });
  });
  expect(more).toEqual([]);
  expect(JSON.parse(line)).toMatchObject({
    level: 'info',
    requestId: 'req_1',
    status: 200,
    ms: 12.3,
    calls: 2,
    warnings: { 'name-repaired': 2 },
    time: expect.stringMatching(/^\d{4}-\d\d-\d\dT/),
  });
});

it('A-255: at warn the debug record is not written, at trace it is', () => {
  expect(logged({ level: 'warn' }, (log) => log.info('detail'))).toEqual([]);
  expect(logged({ level: 'trace' }, (log) => log.info('detail'))).toHaveLength(1);
});

it('takes configured secrets out of every text', () => {
  const lines = logged({}, (log) => {
    log.warn('the upstream says sk-secret-key is wrong');
    log.request({ ...note(), error: 'bad sk-secret-key', cause: 'at sk-secret-key' }, { status: 502, ms: 1 });
  });
  expect(lines.join('')).not.toContain('sk-secret');
  expect(lines.join('')).toContain('[secret]');
});

it('raises the level of refused and failed requests', () => {
  const lines = logged({}, (log) => {
    log.request(note(), { status: 200, ms: 1 });
    log.request(note(), { status: 401, ms: 1 });
    log.request(note(), { status: 502, ms: 1 });
    log.request(note(), { status: 499, ms: 1 });
  });
  expect(lines.map((line) => JSON.parse(line).level)).toEqual(['info', 'warn', 'error', 'info']);
});

it('writes a line that a person can read on a terminal', () => {
  const [line] = logged({ format: 'pretty' }, (log) => log.request(note(), { status: 200, ms: 5 }));
  expect(line).toMatch(/^\d\d:\d\d:\d\d info {2}POST \/v1\/chat\/completions 200 5 ms requestId=req_1 key=me\n$/);
});

it('B-166: a target that throws loses the line, never the reply', () => {
  const target = {
    write() {
      throw new Error('disk full');
    },
  };
  expect(() => logged({ target }, (log) => log.info('x'))).not.toThrow();
});
