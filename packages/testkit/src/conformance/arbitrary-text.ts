import fc from 'fast-check';

// The same tags come with and without their namespace prefix.
const xmlMarkers = ['function_calls', 'invoke', 'parameter'].flatMap((tag) => [
  `<${tag}>`,
  `</${tag}>`,
  `</antml:${tag}>`,
]);

/** Pieces of every dialect, and what else has a meaning in markup, JSON or Markdown. */
export const awkwardPieces: readonly string[] = [
  ...xmlMarkers,
  ...['<invoke name="list">', '<invoke name="edit">', '<parameter name="body">', '<invoke name="'],
  ...['<list>', '</list>', '<list/>', '<write_note>', '</write_note>', '<title>', '</title>', '<body>', '</body>'],
  ...['<edit>', '</edit>', '<path>', '</path>', '<function_results>', '<functions>'],
  ...['<tool_call>', '</tool_call>', '<tool_response>', '{"name":"list","arguments":{}}', '{"name":"edit",', '[{'],
  ...['<|tool_calls_section_begin|>', '<|tool_calls_section_end|>', '<|tool_call_begin|>', '<|tool_call_end|>'],
  ...['functions.list:0', '<|tool_call_argument_begin|>', '## Return of', '<|im_end|>', '<|im_start|>'],
  ...['<think>', '</think>', '<thinking>', '</thinking>', '```', '~~~', '`', '<![CDATA[', ']]>', ']]]]>'],
  ...['&lt;', '&amp;', '&', '"', "'", '\\', '\\u', '\\n', '{', '}', '[', ']', ':', ',', '<', '>', '</', '<|', '|>'],
  ...['\n', '\n\n', '\r\n', '\t', ' ', '    ', '\u0000', '\u001b', '\u2028', '\ufeff', '\ud83d', '\ude00'],
  ...['\u{1f600}', 'é', '漢字', 'null', 'true', '007', '1e3', '__proto__', 'plain words', '#', '-', '='],
];

/** Strings that break naive parsers and renderers: any dialect's markers, halves of surrogate pairs, control characters. */
export const awkwardString: fc.Arbitrary<string> = fc.oneof(
  {
    arbitrary: fc.array(fc.constantFrom(...awkwardPieces), { maxLength: 8 }).map((pieces) => pieces.join('')),
    weight: 3,
  },
  { arbitrary: fc.string({ unit: 'binary', maxLength: 12 }), weight: 1 },
  { arbitrary: fc.constant(''), weight: 1 },
);

const word = fc.string({
  unit: fc.constantFrom(...'abcdefghijklmnopqrstuvwxyzÄß漢0123456789'),
  minLength: 1,
  maxLength: 8,
});

/** Words, for values that hold nothing special. */
export const plainString: fc.Arbitrary<string> = fc
  .array(word, { minLength: 1, maxLength: 4 })
  .map((all) => all.join(' '));

/** Sentences over several lines that no dialect can take for a marker. They start and end with a letter or digit. */
export const prose: fc.Arbitrary<string> = fc
  .array(fc.tuple(word, fc.constantFrom(' ', '. ', ', ', '\n', '\n\n', '; ', ' < ', ' && ', ': ', '  ')), {
    minLength: 1,
    maxLength: 6,
  })
  .chain((parts) => word.map((last) => parts.flat().join('') + last));

/** What a very confused model might write: pieces of every dialect in any order. */
export const garbage: fc.Arbitrary<string> = fc
  .array(fc.oneof(fc.constantFrom(...awkwardPieces), plainString), { maxLength: 24 })
  .map((pieces) => pieces.join(''));
