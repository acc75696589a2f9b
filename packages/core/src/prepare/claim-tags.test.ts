import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type PromptVariable, promptVariables } from '../plan/prompt-template.ts';
import { claimTags } from './claim-tags.ts';

const all = new Set<PromptVariable>(['instructions', 'attachments', 'context']);
const claim = (...texts: readonly string[]) => claimTags(texts, { mentions: all, merge: 'merge' });

describe('what templates take out of texts', () => {
  it('A-111: the last instructions, and all other text stays', () => {
    const text = 'You help.\n<instructions>\nold\n</instructions>\n<instructions>\nnew\n</instructions>\nBe kind.';
    expect(claim(text)).toMatchObject({
      instructions: 'new',
      rests: ['You help.\n<instructions>\nold\n</instructions>\nBe kind.'],
    });
    expect(claim('no tags <instructions>')).toMatchObject({ instructions: '', rests: ['no tags <instructions>'] });
  });

  it('A-111: what no template names stays where it was written', () => {
    const text = ' <context>c</context> words <attachments>a</attachments> <instructions>i</instructions>\n';
    expect(claimTags([text], { mentions: new Set(['task']), merge: 'merge' })).toEqual({
      rests: [text],
      instructions: '',
      attachments: '',
      context: '',
    });
  });

  it('A-114: contexts of user and system are merged, and the same one stands once', () => {
    const [one, two] = ['<context>one</context>', '<context>two</context>'];
    expect(claim(`You help. ${one}`, `${two} Go.`)).toMatchObject({
      context: `${one}\n${two}`,
      rests: ['You help.', 'Go.'],
    });
    expect(claim(one, `${one}${one}`).context).toBe(one);
  });

  it('A-114: or the newest of a tag wins, that of the user over that of the system', () => {
    const texts = ['<context>system</context><repoContext>r</repoContext>', '<context>user</context>'];
    const { context } = claimTags(texts, { mentions: all, merge: 'newest' });
    expect(context).toBe('<repoContext>r</repoContext>\n<context>user</context>');
  });

  it('A-111: loses nothing but white space, whatever is where (property)', () => {
    const token = fc.constantFrom(
      ...['context', 'attachments', 'instructions', 'userRequest'].flatMap((tag) => [`<${tag}>`, `</${tag}>`]),
      ...['a', 'b', '\n', ' ', '```\n'],
    );
    const texts = fc.array(
      fc.array(token, { maxLength: 25 }).map((tokens) => tokens.join('')),
      { maxLength: 3 },
    );
    const mentions = fc.subarray(Object.keys(promptVariables).filter((name): name is PromptVariable => name !== ''));
    const letters = (parts: readonly string[]) => [...parts.join('')].filter((each) => 'ab'.includes(each)).sort();
    fc.assert(
      fc.property(texts, mentions, (given, named) => {
        const { rests, instructions, attachments, context } = claimTags(given, {
          mentions: new Set(named),
          merge: 'merge',
        });
        const found = [...rests, instructions, attachments, context];
        // The same block twice is said once.
        const kept = new Set(letters(found));
        expect([...new Set(letters(given))].filter((letter) => !kept.has(letter))).toEqual([]);
        expect(letters(found).length).toBeLessThanOrEqual(letters(given).length);
        if (named.length === 0) expect(rests).toEqual(given);
      }),
    );
  });
});
