import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type PromptValues, promptTemplates, requiredVariables, type TemplateName } from '@dragoman/core';
import { growthOf } from '@dragoman/testkit';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { builtInFolder, fileNameOf } from './built-in-folder.ts';
import { readTemplate } from './read-template.ts';

const nothing: PromptValues = {
  system: '',
  tools: '',
  tool_list: '',
  call_example: '',
  instructions: '',
  rules: '',
  attachments: '',
  context: '',
  history: '',
  results: '',
  task: '',
};

const everything: PromptValues = {
  system: 'SYS',
  tools: 'TOOLS',
  tool_list: 'read_file(path: string)',
  call_example: '<read_file/>',
  instructions: 'INS',
  rules: 'RULES',
  attachments: 'ATT',
  context: 'CTX',
  history: 'HISTORY',
  results: 'RESULTS',
  task: 'REQ',
};

const builtIn = (name: TemplateName) => readTemplate(name, readFileSync(join(builtInFolder, fileNameOf(name)), 'utf8'));

const say = (name: TemplateName, values: Partial<PromptValues>) => builtIn(name).render({ ...nothing, ...values });

const places = (text: string, marks: readonly string[]) => marks.map((mark) => text.indexOf(mark));

/** All that a template must say, and what a test wants to try. */
const simple = (source: string) => readTemplate('simple', `${source}\n---\n{{ task }}`);

function refusal(source: string, name: TemplateName = 'simple'): string {
  try {
    readTemplate(name, source);
  } catch (thrown) {
    return String(thrown);
  }
  return 'none';
}

describe('the built-in templates', () => {
  it('A-100: each says all that it may be given', () => {
    const prompts = new Map(
      Object.keys(promptTemplates).flatMap((name) =>
        name in requiredVariables ? [[name, readFileSync(join(builtInFolder, `${name}.jinja`), 'utf8')]] : [],
      ),
    );
    expect([...prompts.keys()]).toEqual(['first-tools', 'tools', 'results', 'first-simple', 'simple']);
    expect(say('first-tools', everything)).toBe(
      [
        'SYS',
        'TOOLS',
        '# Custom instructions\n\nINS',
        '# Rules\n\nRULES',
        '# Our conversation so far\n\nHISTORY',
        'ATT',
        'CTX',
        '# Results of your calls\n\nRESULTS',
        'REQ',
      ].join('\n\n---\n\n'),
    );
    expect(say('tools', everything)).toBe(
      [
        'ATT',
        'CTX',
        'You can call these tools, in the form and by the rules that you know:\n\nread_file(path: string)',
        'REQ',
      ].join('\n\n---\n\n'),
    );
    expect(say('results', everything)).toBe(
      [
        'SYS',
        'TOOLS',
        'CTX',
        '# Results of your calls\n\nRESULTS',
        'ATT',
        'REQ',
        'If you know enough now, give the user your final answer: plain text, without any call. Otherwise call another tool, in this form:\n\n<read_file/>',
      ].join('\n\n---\n\n'),
    );
    expect(say('simple', everything)).toBe('ATT\n\n---\n\nCTX\n\n---\n\nREQ');
  });

  it('A-101: the first prompt with tools goes from the system text to the task', () => {
    const order = ['SYS', 'TOOLS', 'INS', 'RULES', 'ATT', 'CTX', 'REQ'];
    const found = places(say('first-tools', everything), order);
    expect(found).not.toContain(-1);
    expect(found).toEqual([...found].sort((a, b) => a - b));
  });

  it('A-103: results come with the way on, and with context where there is some', () => {
    const { results, call_example } = everything;
    const alone = say('results', { results, call_example });
    expect(alone.startsWith('# Results of your calls\n\nRESULTS\n\n---\n\n')).toBe(true);
    expect(alone).toContain('final answer: plain text, without any call');
    expect(alone).toContain('Otherwise call another tool, in this form:\n\n<read_file/>');
    expect(say('results', { results, call_example, context: 'CTX' })).toBe(`CTX\n\n---\n\n${alone}`);
  });

  it('A-104: only the first simple prompt says the system text; both say the rest', () => {
    const { system, attachments, context, task } = everything;
    const [first, later] = [say('first-simple', { system, attachments, context, task }), say('simple', everything)];
    expect(first).toContain('SYS');
    expect(later).not.toContain('SYS');
    for (const prompt of [first, later]) expect(places(prompt, ['ATT', 'CTX', 'REQ'])).not.toContain(-1);
  });

  it('A-106: what is empty leaves neither its words nor a divider after (property)', () => {
    const given = fc.subarray(Object.entries(everything), { minLength: 1 }).map((values) => Object.fromEntries(values));
    const name = fc.constantFrom<TemplateName>('first-tools', 'tools', 'results', 'first-simple', 'simple');
    fc.assert(
      fc.property(name, given, (template, values) => {
        const text = say(template, values);
        if (text !== '') expect(`\n\n---\n\n${text}\n\n---\n\n`).not.toMatch(/---\s*---/);
        const said = Object.values(values).filter((value) => text.includes(value));
        expect(text.split('\n\n---\n\n').length).toBeLessThanOrEqual(Math.max(1, said.length));
      }),
    );
    expect(say('simple', { task: 'Hi' })).toBe('Hi');
  });
});

describe('a template', () => {
  it('A-105: an unknown variable is refused by its name and line, with the one that was meant', () => {
    const refused = refusal('a\n{{ task }}\n---\n\n{{ contxt }}');
    expect(refused).toContain('line 5: there is no variable "contxt"; there are system, tools');
    expect(refused).toContain('; did you mean "context"?');
    expect(refusal('{% if nope %}x{% endif %}{{ task }}')).toContain('line 1: there is no variable "nope"');
  });

  it('A-117: says values as they are, whatever they look like', () => {
    const code = '{{ 7*7 }} {% if task %} {# c #} {{ system }}\n---\n';
    expect(simple('{{ context }}').render({ ...nothing, context: code, task: code })).toBe(`${code}\n\n---\n\n${code}`);
  });

  it('A-117: keeps every character of a text that it only names (property)', () => {
    const template = readTemplate('simple', '{{ task }}');
    fc.assert(
      fc.property(fc.string({ unit: 'binary', minLength: 1 }), (task) => {
        if (task.trim() !== '') expect(template.render({ ...nothing, task })).toBe(task);
      }),
    );
  });

  it.each([
    ['{{ a b }}', 'line 1: what is here is not Jinja ('],
    ['{{ task }', '; tags are {{ variable }}, {% if variable %} … {% endif %} and {# comment #}'],
    ['{{ task }}\n{% if task %}\nx', 'line 2: what begins here is not ended'],
    ['{{ task }}\n\n{{ task', 'line 3'],
    ['{{ task }}\n{% if task %}\n{{ a b }}\n{% endif %}', 'line 3'],
    ['{{ task }}\n---\n{% endif %}', 'line 3'],
    ['{{ task }}\n{% for x in task %}{% endfor %}', 'line 2: prompts have no {% for %}'],
    ['{{ task }}\n{% set x = task %}', 'line 2: prompts have no {% set %}'],
    ['{{ task }}{{ range(9) }}', 'line 1: prompts have no functions'],
    ['{{ task }}\n{{ task.length }}', 'line 2: prompts have no parts of variables'],
    ['{{ task }}\n{{ task | replace }}', 'line 2: prompts have no filter "replace"; they have trim, upper, lower'],
    ['{{ task }}\n{{ task * task }}', 'line 2: prompts have no operator *'],
    ['{% if task is defined %}{{ task }}{% endif %}', 'line 1: prompts have no "is"'],
    [`{{ task }}${'{% if task %}'.repeat(300)}${'{% endif %}'.repeat(300)}`, 'is nested deeper than 100 levels'],
    ['x'.repeat(300_000), 'is longer than'],
  ])('A-107: is refused with its line: %j', (source, reason) => {
    expect(refusal(source)).toContain(reason);
  });

  it('A-107: has to say what nothing else says', () => {
    expect(refusal('Hello')).toContain('lacks {{ task }}, and nothing else says what the user says last');
    expect(refusal('{{ system }}{{ tools }}{{ task }}', 'results')).toContain('lacks {{ results }}');
  });

  it('A-111: has to say what it takes out of the text of the client, whatever else there is', () => {
    const sometimes = '{% if rules %}{{ context }}{% endif %}{{ task }}';
    expect(refusal(sometimes)).toContain('says {{ context }} only where another variable has a value');
    const orNot = '{% if rules %}{% else %}{{ context }}{% endif %}{{ task }}';
    expect(refusal(orNot)).toContain('does not say {{ context }} where others have a value');
    expect(refusal('{% if rules %}{{ tool_list }}{% endif %}{{ task }}')).toBe('none');
  });

  it('may choose its words, and keep them together with a variable', () => {
    const template = simple('{% if rules and not context %}Mind:\n{% endif %}\n{{ rules | upper }}{{ " " ~ context }}');
    expect(template.render({ ...nothing, rules: 'be brief', task: 'Go.' })).toContain('Mind:\nBE BRIEF');
    expect(template.render({ ...nothing, task: 'Go.' })).toBe('Go.');
  });

  it('reads lines as Windows ends them', () => {
    expect(simple('{{ rules }}\r\n---\r\n{{ context }}').render({ ...nothing, context: 'C', task: 'T' })).toBe(
      'C\n\n---\n\nT',
    );
  });

  it('takes time that grows with what is said and no faster', () => {
    const template = builtIn('first-tools');
    const render = (size: number) =>
      template.render({ ...everything, context: '{{ '.repeat(size), task: '---\n'.repeat(size) });
    expect(growthOf(render, 20_000)).toBeLessThan(1.1);
  });
});
