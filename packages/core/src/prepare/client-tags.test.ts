import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { clientTags, findClientTags, readClientTags } from './client-tags.ts';

const copilot = [
  '<environment_info>\nThe user works on Linux.\n</environment_info>',
  '<workspace_info>\nI work in /repo.\n</workspace_info>',
  '<context>\nThe current date is 2026-11-21.\n</context>',
  '<attachments>\n<attachment id="a.ts">\n```ts\nconst a = 1;\n```\n</attachment>\n</attachments>',
  'Words between the tags.',
  '<editorContext>\na.ts, line 3\n</editorContext>',
  '<repoContext>\nmain\n</repoContext>',
  '<reminderInstructions>\nBe brief.\n</reminderInstructions>',
  '<conversation-summary>\nNothing yet.\n</conversation-summary>',
  '<userRequest>\nExplain a.ts.\n</userRequest>',
].join('\n');

describe('tags of clients', () => {
  it('A-032 A-033 takes context, attachments and the request apart and keeps the rest', () => {
    const read = readClientTags(copilot);
    expect(read.context).toBe('<context>\nThe current date is 2026-11-21.\n</context>');
    expect(read.attachments).toContain('<attachment id="a.ts">');
    expect(read.userRequest.trim()).toBe('Explain a.ts.');
    expect(read.rest.trim()).toBe('Words between the tags.');
    expect(readClientTags('You help. <context>ws</context> Be kind.').context).toBe('<context>ws</context>');
  });

  it('A-034 knows every tag, with attributes too, and passes others through', () => {
    for (const tag of clientTags) {
      const text = `a\n<${tag} id="1">\nin\n</${tag}>\nb <other>o</other>`;
      const [piece] = findClientTags(text);
      expect(piece && text.slice(piece.innerStart, piece.innerEnd)).toBe('\nin\n');
      expect(readClientTags(text).rest).toBe('a\n\nb <other>o</other>');
    }
  });

  it('A-035 merges contexts and takes the last instructions', () => {
    const text =
      '<instructions>\none\n</instructions><context>1</context><instructions>\ntwo\n</instructions><context>2</context>';
    const read = readClientTags(text);
    expect(read.instructions).toBe('\ntwo\n');
    expect(read.context).toBe('<context>1</context>\n<context>2</context>');
  });

  it('A-036 says nothing where there is no tag', () => {
    const read = readClientTags('Just words.');
    expect(read).toMatchObject({
      context: '',
      attachments: '',
      userRequest: '',
      instructions: '',
      rest: 'Just words.',
    });
  });

  it.each([
    ['a closing tag alone', 'What does </context> mean?', ''],
    ['an opening tag alone', 'What does <context> mean?', ''],
    ['an opening tag in a fence', '```xml\n<context>\n```\nand </context>', ''],
    ['a pair inside another', '<attachments><context>x</context></attachments>', ''],
    ['an open one before a pair', '<context> and <context>x</context>', '<context>x</context>'],
    [
      'one in another of its name',
      '<context>a<context>b</context>c</context>',
      '<context>a<context>b</context>c</context>',
    ],
    ['a closing tag too many', '<context>a</context> b</context>', '<context>a</context>'],
  ])('A-039 %s', (_name, text, context) => {
    expect(readClientTags(text).context).toBe(context);
  });

  it('A-034 A-039 loses no character, whatever is where (property)', () => {
    const token = fc.constantFrom(
      '<context>',
      '</context>',
      '<userRequest>',
      '</userRequest>',
      '```',
      '\n',
      'a',
      '<',
      ' ',
    );
    fc.assert(
      fc.property(fc.array(token, { maxLength: 40 }), (tokens) => {
        const text = tokens.join('');
        const { pieces, rest } = readClientTags(text);
        let at = 0;
        let joined = '';
        for (const { start, end, innerStart, innerEnd } of pieces) {
          expect([at <= start, start < innerStart, innerStart <= innerEnd, innerEnd < end]).not.toContain(false);
          joined += text.slice(at, start);
          at = end;
        }
        expect(joined + text.slice(at)).toBe(rest);
      }),
    );
  });
});
