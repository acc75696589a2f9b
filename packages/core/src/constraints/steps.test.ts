import { expect, it } from 'vitest';
import { dialects } from '../dialects/registry.ts';
import { callForms } from './call-forms.ts';
import { finish, InSteps, type Steps } from './steps.ts';
import { writeGbnf } from './write-gbnf.ts';

it('goes on where another one has stopped, and is made once', () => {
  const done: string[] = [];
  const made = new InSteps(function* (): Steps<string> {
    done.push('first');
    yield;
    done.push('second');
    yield;
    return done.join();
  });
  // A turn is at least one step.
  made.goOn(0);
  expect([made.isMade, done]).toEqual([false, ['first']]);
  expect(made.result).toBe('first,second');
  made.goOn(0);
  expect([made.isMade, made.result, done.length]).toEqual([true, 'first,second', 2]);
});

it('what has thrown is begun anew by whoever needs it next, who hears why it cannot be made', () => {
  let [begun, room] = [0, 0];
  const made = new InSteps(function* (): Steps<string> {
    begun += 1;
    yield;
    if (room < 1) throw new RangeError('too deep');
    return 'made';
  });
  expect(() => made.result).toThrow('too deep');
  made.goOn(0);
  expect(() => made.goOn(0)).toThrow('too deep');
  expect([made.isMade, begun]).toEqual([false, 2]);
  room = 1;
  expect([made.result, begun]).toEqual(['made', 3]);
});

it.each(['hermes', 'cline-xml'])('the grammar of %s is made in steps, of which each is one tool or parameter', (id) => {
  const dialect = dialects.get(id);
  if (dialect === undefined) throw new Error(`There is no ${id}.`);
  const properties = Object.fromEntries(Array.from({ length: 20 }, (_, at) => [`key_${at}`, { type: 'string' }]));
  const tools = Array.from({ length: 30 }, (_, at) => ({ name: `tool_${at}`, inputSchema: { properties } }));
  const counted = <Result>(steps: Steps<Result>) => {
    let count = 0;
    const counting = (function* (): Steps<Result> {
      for (;;) {
        const { done, value } = steps.next();
        if (done === true) return value;
        count += 1;
        yield;
      }
    })();
    return { result: finish(counting), count };
  };
  const forms = counted(callForms(dialect, { tools, choice: 'required' }));
  const grammar = counted(writeGbnf(forms.result?.calls ?? ''));
  expect(grammar.result.grammar).toContain('key_19');
  const least = id === 'hermes' ? tools.length : 20 * tools.length;
  expect(Math.min(forms.count, grammar.count)).toBeGreaterThanOrEqual(least);
});
