import { describe, expect, it } from 'vitest';
import { renderTemplate } from './render-template.ts';
import { type Conversation, plainConversations } from './samples.ts';

const limits = { time: 10_000, memory: 48, length: 2000 };
const render = (source: string, conversations: readonly Conversation[] = [plainConversations.said], own = {}) =>
  renderTemplate({ source, variables: { bos_token: '<s>' } }, conversations, { ...limits, ...own });

describe('a template that nobody vouches for', () => {
  it('is given the conversation and the tokens, and what it refuses is told', async () => {
    const source =
      "{{ bos_token }}{% if add_generation_prompt %}{{ raise_exception('no') }}{% endif %}{{ messages[0].role }}";
    expect(await render(source, [plainConversations.said, plainConversations.asked])).toEqual([
      { text: '<s>user' },
      { refused: 'no' },
    ]);
  });

  it('runs no longer than it may', async () => {
    const endless = '{% for i in range(100000) %}{% for j in range(100000) %}{% set x = j %}{% endfor %}{% endfor %}';
    await expect(render(endless, undefined, { time: 500 })).rejects.toThrow('does not end within 0.5 seconds');
  });

  it('fills no more memory than it may, and writes no longer a text', async () => {
    const doubling = '{% set ns = namespace(x=[1]) %}{% for i in range(60) %}{% set ns.x = ns.x + ns.x %}{% endfor %}';
    await expect(render(doubling)).rejects.toThrow('fills more than 48 megabytes');
    expect(await render('{% for i in range(3000) %}a{% endfor %}')).toEqual([
      { refused: 'is longer than 2000 characters' },
    ]);
  });

  it('is no Jinja', async () => {
    await expect(render('{% if %}')).rejects.toThrow('is not Jinja that can be read');
  });

  it('reaches neither the environment nor files', async () => {
    const [rendering] = await render('{{ process is defined }} {{ require is defined }} {{ env is defined }}');
    expect(rendering).toEqual({ text: 'false false false' });
    expect(await render("{% include '/etc/passwd' %}").catch((thrown: unknown) => String(thrown))).toContain(
      'RenderError',
    );
  });

  // As Jinja of Python 3.1.6 renders them.
  it.each([
    ['{% for c in "ab" %}{{ c }},{% endfor %}{% for c in messages[0].type %}{{ c }}{% endfor %}', 'a,b,'],
    ['{{ none_such|length }}{{ messages[0].tool_calls|length }}{{ none_such|join }}', '00'],
    [
      '{% set t = {10: "a", 9: "b"} %}{{ t[10] }}{% for k, v in t|dictsort %}{% if k <= 9 %}{{ v }}{% endif %}{% endfor %}',
      'ab',
    ],
    [
      '{% for k, v in {2: "a"}.items() %}{{ k + 1 }}{{ v }}{% endfor %}{% for k in {5: 1} %}{{ k + 1 }}{% endfor %}',
      '3a6',
    ],
    ["{{ '<{}|{}>'.format('a', 1) }}", '<a|1>'],
  ])('is rendered as transformers does: %s', async (source, text) => {
    expect(await render(source)).toEqual([{ text }]);
  });

  it.each([
    ["{{ 'a' + functions }}", 'it needs functions, which is undefined in transformers, too'],
    ['{{ messages.convert() }}', 'it needs messages.convert, which is undefined in transformers, too'],
  ])('says what it wanted where transformers raises: %s', async (source, refused) => {
    expect(await render(source)).toEqual([{ refused }]);
  });
});
