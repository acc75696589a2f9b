import { cutText, sample } from '@dragoman/testkit';
import { describe, expect, it } from 'vitest';
import { DragomanError } from '../errors.ts';
import { runStage, type StageFactory } from '../stream/stage.ts';
import type { ParseContext, Span } from './dialect.ts';
import { dialects } from './registry.ts';
import { readAny, readLeaks } from './together/read-any.ts';

const tools = [
  { name: 'list', inputSchema: { type: 'object', properties: {} } },
  { name: 'write', inputSchema: { type: 'object', properties: { content: { type: 'string' } } } },
];
const call = { callId: 'call_x', ordinal: 0 };
const cut = new DragomanError('upstream-cut', 'It stopped.');
const all = [...dialects.values()].map((dialect) => [dialect.id, dialect] as const);

it.each(sample(all, 6))(
  '%s: a call that is quoted in a value runs nowhere, wherever the reply breaks off',
  (_, dialect) => {
    const inner = dialect.renderCalls([{ ...call, name: 'list', arguments: '{}' }], tools).replaceAll('"', "'");
    const outer = dialect.renderCalls([{ ...call, name: 'write', arguments: '{"content":"QUOTED"}' }], tools);
    const at = outer.indexOf('QUOTED');
    // As a model writes it that escapes nothing: on one line, so that it may be in a string.
    const quoted = inner.replaceAll('\n', ' ');
    const reply = `${outer.slice(0, at)}${quoted} or ${quoted} end`;
    for (let length = at; length <= reply.length; length += 1) {
      const spans = runStage(dialect.createParser({ tools }), [reply.slice(0, length)], cut);
      const called = spans.flatMap((span) => (span.kind === 'call' ? [span.name] : []));
      expect(called, reply.slice(0, length)).not.toContain('list');
    }
  },
);

const eachLine = (mark: string, text: string) =>
  text
    .split('\n')
    .map((line) => mark + line)
    .join('\n');

/** Code inside a paragraph ends with it: a blank line of a call may not in it. */
const inParagraph = (shown: string) => shown.replaceAll('\n\n', '\n');

/** Where a reply shows a call and does not mean it. */
const places: Readonly<Record<string, (shown: string) => string>> = {
  'a fence': (shown) => `So:\n\n\`\`\`\`xml\n${shown}\n\`\`\`\`\n`,
  'a fence of tildes in a list': (shown) => `So:\n\n1. ~~~~\n${eachLine('   ', shown)}\n   ~~~~\n`,
  'a fence in a quotation': (shown) => `So:\n\n> \`\`\`\`\n${eachLine('> ', shown)}\n`,
  'a fence after words': (shown) => `So: \`\`\`\`\n${inParagraph(shown)}\n\`\`\`\`\n`,
  'a span on one line': (shown) => `Write \`\`\`\` ${shown.replaceAll('\n', ' ')} \`\`\`\` there.`,
  'a span on several lines': (shown) => `Write \`\`\`\` ${inParagraph(shown)} \`\`\`\` there.`,
  'back-ticks on lines of their own': (shown) => `So:\n\`\`\n${inParagraph(shown)}\n\`\`\n`,
  'indented code': (shown) => `So:\n\n${eachLine('    ', shown)}\n`,
  'code indented with tabs': (shown) => `# So\n${eachLine('\t', shown)}\n`,
  'a quotation': (shown) => `So:\n${eachLine('> ', shown)}\n`,
  'a quotation in a list': (shown) => `- So:\n${eachLine('  > ', shown)}\n`,
  'a pre element': (shown) => `So:\n<pre>\n${shown}\n\n${shown}\n</pre>\n`,
  'a pre element with attributes, after words': (shown) => `So: <PRE class="x">${inParagraph(shown)}</PRE> there.`,
  'a code element': (shown) => `Write <code>${inParagraph(shown)}</code> there.`,
  'code in a pre element': (shown) => `<pre><code class="xml">${shown}</code></pre>\n`,
  'a comment': (shown) => `<!--\n${shown}\n\n${shown}\n-->\n`,
  'a comment after words': (shown) => `So <!-- here:\n${inParagraph(shown)} --> it is.`,
};

/** What opens nothing, or nothing that lasts beyond the blank line after it. */
const strays: Readonly<Record<string, string>> = {
  'a tag in prose': 'The <pre> tag, or <code class="x"> with it.',
  'a tag at the end of a line': 'It is a <code>',
  'a comment that is not closed': 'Some <!-- there.',
  'a back-tick': 'Press the ` key',
  'a back-tick before a word': 'It is `there',
  'back-ticks at the end': 'It is ```',
  'a sign for more': '5 > 3\n> 2',
  'names that begin alike': '<prefix> and <codes>\n<!- no -->',
  'a list': '- one\n- two\n\nSo:',
  'an indented paragraph': 'So\n    it is.',
};

/** What hides nothing on the next line where the model has no other place for its calls. */
const straysBefore: Readonly<Record<string, string>> = {
  'a back-tick': 'Don`t press the ` key',
  'a back-tick before a word': 'It is in `there',
  'a tag in prose': 'It is a <code> element.',
  'a quotation': '> It is.',
  'an item': '1. It is:\n',
};

const oneLine = (shown: string) => shown.replaceAll('\n', ' ');

/** Where the text of a model that calls natively mentions a call in prose. */
const mentions: Readonly<Record<string, (shown: string) => string>> = {
  'quotation marks': (shown) => `The model writes "${shown}" when it calls.`,
  'quotation marks at the start of a line': (shown) => `So:\n"${shown}" is a call.`,
  'quotation marks after a colon': (shown) => `The form is:"${shown}".`,
  'single quotation marks': (shown) => `It writes '${shown}' there.`,
  'typographic quotation marks': (shown) => `It writes “${shown}” there.`,
  'typographic single quotation marks': (shown) => `It writes ‘${shown}’ there.`,
  'German quotation marks': (shown) => `Es schreibt: „${shown}“.`,
  'French quotation marks': (shown) => `Il écrit : «\u00a0${shown}\u00a0».`,
  'Chinese quotation marks': (shown) => `模型写「${shown}」。`,
  brackets: (shown) => `A call (${shown}) does it.`,
  'square brackets': (shown) => `[${shown}](a.md) is a link.`,
  'strong emphasis': (shown) => `Write **${shown}** there.`,
  emphasis: (shown) => `Write _${shown}_ there.`,
  'emphasis at the start of a line': (shown) => `So:\n*${shown}*\n`,
  'quotation marks in emphasis': (shown) => `Write *"${shown}"* there.`,
  'a table': (shown) => `| form | call |\n|---|---|\n| it | ${oneLine(shown)} |\n`,
  'the first column of a table': (shown) => `| call | form |\n|---|---|\n|${oneLine(shown)}|it|\n`,
  'a sentence': (shown) => `The model writes ${shown} when it calls.`,
  'a sentence after a comma': (shown) => `When it calls, ${shown} is what it writes.`,
  'a sentence after a quoted word': (shown) => `Behind "so" ${shown} is a call.`,
  'a sentence after an abbreviation': (shown) => `It writes, e.g. ${shown}.`,
  'a sentence of several lines': (shown) => `The model\nwrites ${shown}\nthere.`,
  'a sentence in a list': (shown) => `1. The model writes ${shown} there.`,
  'a sentence without blanks': (shown) => `模型写${shown}来调用工具。`,
  'a sentence that goes on': (shown) => `It writes ${shown} or ${shown}; then ${shown}.`,
  'an escape': (shown) => `Write \\${shown} there.`,
};

/** What a call that has leaked stands after. */
const leadIns: Readonly<Record<string, string>> = {
  nothing: '',
  'a line': 'I look\n',
  'a line that ends as Windows ends it': 'I look,\r\n',
  'a sentence': 'I look. ',
  'a sentence, directly': 'I look.',
  'a sentence in emphasis': '**I look.** ',
  'a sentence in quotation marks': 'It says "Look." ',
  'a question in brackets, directly': '(Shall I?)',
  'a colon': 'I look: ',
  'a colon in emphasis, directly': '**I look:**',
  'an ellipsis': 'I look… ',
  'a Chinese sentence': '我来看看。',
  'a Chinese colon': '我来看看：',
  'a picture': 'I look 🔍 ',
  'a picture of an older kind': 'I look ✔️ ',
  'a word that half a marker has become': 'court',
  'such a word on its line': 'call\n',
  'an emphasised word, directly': 'I **look**',
  'half a tag': '_calls>',
  'the mark of a list': '- ',
  'the number of a list': 'So:\n1. ',
  'many blanks': `So${' '.repeat(80)}`,
  thinking: '<think>Shall I</think> ',
  'a sentence after another that mentions one': 'It writes "<tool_call>" there. ',
};

describe.each(sample(all, 1))('%s', (_, dialect) => {
  const shown = dialect.renderCalls([{ ...call, name: 'list', arguments: '{}' }], tools);
  const any = readAny(dialect);
  const modes: readonly (readonly [string, (context: ParseContext) => StageFactory<string, Span>])[] = [
    ['alone', (context) => dialect.createParser(context)],
    ['beside all others', (context) => any.createParser(context)],
    ['leaked', (context) => readLeaks(context)],
  ];

  /** What is called, and the text around it; the same in every cut. */
  const read = (parser: (context: ParseContext) => StageFactory<string, Span>, reply: string) => {
    const [whole, chars] = (['whole', 'chars'] as const).map((cuts) => {
      const spans = runStage(parser({ tools }), cutText(reply, cuts));
      return {
        called: spans.flatMap((span) => (span.kind === 'call' ? [span.name] : [])),
        text: spans.map((span) => (span.kind === 'text' || span.kind === 'call-cut' ? span.text : '')).join(''),
        reported: spans.flatMap((span) => (span.kind === 'warning' ? [span.warning.code] : [])),
      };
    });
    expect(chars, reply).toEqual(whole);
    return whole ?? expect.fail();
  };

  describe.each(modes)('%s', (mode, parser) => {
    const isReadInLine = read(parser, `So: ${shown}`).called.length > 0;
    const isRead = read(parser, `So.\n\n${shown}`).called.length;

    it.each(Object.entries(places))('does not run in %s', (_place, write) => {
      const reply = `${write(shown)}\n\nUnderstood?`;
      const found = read(parser, reply);
      expect(found.called, reply).toEqual([]);
      expect(found.text).toBe(reply);
      if (isReadInLine) expect(found.reported).toContain('call-in-fence');
    });

    it.each(Object.entries(places))('runs behind %s', (_place, write) => {
      const reply = `${write(shown)}\n\n${shown}`;
      expect(read(parser, reply).called, reply).toHaveLength(isRead);
    });

    it.each(Object.entries(strays))('runs behind %s in the paragraph before', (_name, stray) => {
      const reply = `${stray}\n\n${shown}`;
      expect(read(parser, reply).called, reply).toHaveLength(isRead);
    });

    if (mode === 'leaked') {
      it.each(Object.entries(mentions))('does not run in %s', (_place, write) => {
        const reply = `${write(inParagraph(shown))}\n\nUnderstood?`;
        const found = read(parser, reply);
        expect(found.called, reply).toEqual([]);
        expect(found.text).toBe(reply);
        if (isReadInLine) expect(found.reported).toEqual(['call-in-fence']);
      });

      it.each(Object.entries(mentions))('runs in the paragraph after %s', (_place, write) => {
        const reply = `${write(inParagraph(shown))}\n\n${shown}`;
        expect(read(parser, reply).called, reply).toHaveLength(isRead);
      });

      it.each(Object.entries(leadIns))('runs behind %s', (_place, leadIn) => {
        const reply = leadIn + shown;
        expect(read(parser, reply).called, reply).toHaveLength(isRead);
      });
      return;
    }
    it('is read where nothing hides it', () => {
      expect(isRead).toBe(1);
    });

    it.each(Object.entries(straysBefore))('runs behind %s on the line before', (_name, stray) => {
      const reply = `${stray}\n${shown}`;
      expect(read(parser, reply).called, reply).toHaveLength(isRead);
    });
  });
});
