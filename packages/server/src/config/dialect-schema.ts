import { z } from 'zod';

/** Literals keep the white space around them: prompts are written with it. */
const text = z.string();
const texts = z.array(z.string().min(1));

const repair = z
  .enum([
    ...(['closer', 'section', 'opener', 'separator', 'characters', 'tokens', 'json', 'otherCloser'] as const),
    ...(['valueOpener', 'keyCloser', 'header', 'quotes', 'spelling'] as const),
  ])
  .describe('What is told of a call that is written so.');

const literal = z
  .union([
    text,
    z.strictObject({
      text: text.describe('Read exactly so, white space included.'),
      repair: repair.exactOptional(),
      place: z
        .enum(['line-start', 'reply-start'])
        .exactOptional()
        .describe('Where alone it counts. Default: anywhere.'),
      end: z.union([text, texts]).exactOptional().describe('Of an opener before a name: what comes after that.'),
      unnamed: z.string().exactOptional().describe('Of an opener with attributes: the name where none says it.'),
      alone: z.boolean().exactOptional().describe('Of a section with blocks: calls are in it without them.'),
      afterCall: z.boolean().exactOptional().describe('Of a result: it counts only directly after a call.'),
    }),
  ])
  .describe(
    'A marker, read without the white space around it. `{name}` stands for the name of each tool, `{quoted}` for it in quotation marks.',
  );

const literals = z
  .union([text, z.array(literal).min(1)])
  .describe('A marker, or the ways to write it: the first is what the model is shown, all are read.');

const around = z.strictObject({
  opener: text.describe('In front.'),
  closer: text.default('').describe('Behind. May be empty.'),
});

const marked = z.strictObject({
  opener: literals.describe('In front.'),
  closer: literals.default('').describe('Behind. May be empty.'),
});

const calls = {
  between: text.exactOptional().describe('Between two calls. Default: a newline, or a comma and a space.'),
  block: marked.exactOptional().describe('Around each call, outside of opener and closer.'),
  written: text
    .exactOptional()
    .describe(
      'What is written where it is not the first of all literals: `{call}` stands for that, `{body}` for it without opener and closer, `{name}`, `{arguments}`, `{id}` and `{index}` for what the call says.',
    ),
  closerOptional: z.boolean().exactOptional().describe('The closer may be missing, which is then not told.'),
};
const opener = literals.describe('In front of a call.');
const closer = literals.default('').describe('Behind a call. May be empty where its form says that it is over.');
const grouping = z
  .enum(['each', 'list', 'sequence'])
  .exactOptional()
  .describe(
    '`each` call between an opener and a closer of its own, or all of them between one pair: as a `list`, or in `sequence`.',
  );

const json = z
  .strictObject({
    form: z.literal('json'),
    opener,
    closer,
    ...calls,
    grouping,
    brackets: around.exactOptional().describe('Of a written list. Default `[` and `]`.'),
    keys: z
      .strictObject({
        name: z.string().min(1).exactOptional(),
        arguments: z.string().min(1).exactOptional(),
        id: z.string().min(1).exactOptional(),
      })
      .exactOptional()
      .describe('The keys where they are not `name` and `arguments`; without `id` calls have none.'),
    keyed: z.boolean().exactOptional().describe('The one key of an object is the name of the tool.'),
    object: text.exactOptional().describe('An object as it is written: `{"name":{name},"args":{arguments}}`.'),
    fenced: z.boolean().exactOptional().describe('A Markdown fence may be around the JSON.'),
    guarded: z
      .boolean()
      .exactOptional()
      .describe('The opener is in prose, too: it counts only with the name of a tool after it.'),
    headerEnd: text.exactOptional().describe('Ends a header between opener and JSON, which may name the tool as well.'),
  })
  .describe('`{"name": …, "arguments": {…}}`');

const header = z
  .strictObject({
    form: z.literal('header'),
    opener,
    header: z
      .string()
      .exactOptional()
      .describe('What holds the name: `{name}`, with `{id}` or `{index}` where the model writes one.'),
    idOptional: z.boolean().exactOptional().describe('The id is written only where the model gave one.'),
    reader: z.string().exactOptional().describe('What reads the header where that takes more: the name of a reader.'),
    separator: literals.default('').describe('Between header and arguments. Empty: the brace of the arguments.'),
    closer,
    ...calls,
    fenced: z.boolean().exactOptional().describe('A Markdown fence is around the arguments.'),
    guarded: z.boolean().exactOptional().describe('It counts only with arguments, or the closer, after the header.'),
    notBefore: texts.exactOptional().describe('Behind the header it shows that another form is meant.'),
    argumentsRepair: repair.exactOptional().describe('What is told where arguments are there at all.'),
    channelWords: texts.exactOptional().describe('What headers of messages that are no calls consist of.'),
  })
  .describe('A header with the name, then the arguments as JSON.');

const tags = z
  .strictObject({
    form: z.literal('tags'),
    opener: literals.describe('In front of the name, such as `<function=` or `<invoke name="`.'),
    end: z
      .union([text, texts])
      .describe('Behind the name, such as `>` or `">`. A newline alone: the name ends with its line.'),
    endRepair: repair.exactOptional().describe('What is told where `end` is missing. Default: then it is no call.'),
    inner: text.exactOptional().describe('May stand around all parameters and means nothing.'),
    closer,
    ...calls,
    parameter: z
      .strictObject({
        opener: literals.describe('In front of the key.'),
        end: z.union([text, texts]).describe('Behind the key.'),
        value: literals.exactOptional().describe('In front of the value, where a marker of its own opens it.'),
        closer: literals.describe('Behind the value; `{key}` stands for the key.'),
        typed: z
          .strictObject({ attribute: z.string().min(1), text: z.string(), json: z.string() })
          .exactOptional()
          .describe('An attribute behind the key says whether the value is text or JSON.'),
      })
      .describe('How a parameter is written.'),
    nested: z
      .strictObject({ mark: z.string().min(1), reserved: z.array(z.string()) })
      .exactOptional()
      .describe('Lists and objects are tags inside tags, each with `mark` in front.'),
    jsonParameters: texts.exactOptional().describe('Parameters that may hold all arguments as one JSON object.'),
    attributes: z.string().exactOptional().describe('What reads and writes attributes: the name of a reader.'),
  })
  .describe('Parameters one by one in markup, their values as text.');

const namedTags = z
  .strictObject({
    form: z.literal('named-tags'),
    opener: text.exactOptional().describe("In front of the tool's name. Default: the name is the tag."),
    end: text.exactOptional().describe('Behind it.'),
    closer: text.exactOptional(),
    ...calls,
    padded: z.boolean().exactOptional().describe('One newline on each side of a value belongs to the markup.'),
    tags: z.string().exactOptional().describe('How names become tags: the name of a reader.'),
  })
  .describe('Tags that are the names of parameters: `<read><path>a</path></read>`.');

const python = z
  .strictObject({
    form: z.literal('python'),
    opener,
    closer,
    ...calls,
    grouping,
    prefix: text.exactOptional().describe('May come before a name.'),
    suffix: text.exactOptional().describe('Has to come after a name.'),
    wrappers: texts.exactOptional().describe('Functions around a call that mean nothing: `print(read())`.'),
  })
  .describe('`name(key="value")`');

const gemma = z
  .strictObject({
    form: z.literal('gemma'),
    opener,
    closer,
    ...calls,
    quote: z.string().min(1).describe('The token on both sides of a string.'),
  })
  .describe('`call:name{key:…}`');

const also = {
  repair: repair.exactOptional(),
  first: z.boolean().exactOptional().describe("It is asked before the dialect's own form."),
};

const reasoning = z.strictObject({
  opener: literals,
  closer: text,
  until: z.array(literal).exactOptional().describe('What ends it where the closer is missing.'),
  atStart: z.boolean().exactOptional().describe('It counts only at the start of a reply.'),
});

const lesson = z.strictObject({
  intro: z.string().exactOptional().describe('In front of the tools.'),
  tools: z
    .strictObject({
      opener: text,
      closer: text,
      between: text.exactOptional().describe('Default a newline.'),
      each: around.exactOptional().describe('Around each tool.'),
      tool: z
        .string()
        .exactOptional()
        .describe(
          '`function`, `fields`, the name of a reader, or a text with `{name}`, `{description}` and `{parameters}`.',
        ),
    })
    .exactOptional()
    .describe('How tools are described. Default: as lines of JSON between `<tools>` tags.'),
  form: z.string().exactOptional().describe('How a call is written: a sentence, and `{example}`.'),
  rules: z.array(z.string()).exactOptional().describe('Further rules; `{values}` stands for how values are written.'),
});

const list = z.array(literal).exactOptional();

const table = z
  .strictObject({
    summary: z.string().exactOptional().describe('One line for whoever asks what dialects there are.'),
    call: z
      .discriminatedUnion('form', [json, header, tags, namedTags, python, gemma])
      .describe('How one call is written.'),
    also: z
      .array(
        z.discriminatedUnion('form', [
          json.extend(also),
          header.extend(also),
          tags.extend(also),
          namedTags.extend(also),
          python.extend(also),
          gemma.extend(also),
        ]),
      )
      .exactOptional()
      .describe('In what other forms calls are read.'),
    section: marked
      .extend({
        optional: z.boolean().exactOptional().describe('It may be missing, and is not written.'),
        nested: z.boolean().exactOptional().describe('Each call is in its `block` inside of it.'),
      })
      .exactOptional()
      .describe('Around all calls of a reply.'),
    strays: list.describe('Closers of other forms, which mean nothing after a call.'),
    reasoning: z
      .union([reasoning, z.array(reasoning)])
      .exactOptional()
      .describe("Around the model's thinking, beside `<think>`."),
    result: around
      .extend({
        between: text.exactOptional().describe('Default a newline.'),
        around: around.exactOptional().describe('Around all results of a round.'),
        error: around.exactOptional().describe('In place of opener and closer where the tool failed.'),
        json: z
          .unknown()
          .optional()
          .describe('The text as JSON, in which "{text}", "{name}", "{id}" and "{failed}" stand for what they say.'),
        read: list.describe('What opens one in a reply. Default: what is written, up to the first `{`.'),
      })
      .exactOptional()
      .describe('Around a result; `{name}`, `{quoted}`, `{id}` and `{number}` stand for those of its call.'),
    otherTurns: list.describe('What opens a turn of another side.'),
    turnEnds: list.describe('Tokens that end a turn.'),
    silent: list.describe('What means nothing and is never shown.'),
    labels: list.describe('What a transcript writes before an answer.'),
    answerTags: z.boolean().exactOptional().describe('The lesson asks for `<final_answer>` around an answer.'),
    names: z.enum(['exact']).exactOptional().describe('Names of tools are read only as they are declared.'),
    markers: texts.exactOptional().describe('Further markers that what users and tools write may not hold.'),
    plainMarkup: z.boolean().exactOptional().describe('Markers of calls and results may be in JSON as they are.'),
    ids: z.string().exactOptional().describe('How ids are written: the name of a reader.'),
    lesson: lesson.exactOptional().describe('What teaches the tools.'),
    readers: texts.exactOptional().describe('Code for what no field can say, by name.'),
  })
  .describe('A form with its literals, each with the white space that the model writes around it.');

/** A dialect that nobody has written code for. */
export const dialectSchema = z
  .strictObject({
    table: table.exactOptional(),
    responseTemplate: z
      .union([z.string().min(1), z.record(z.string(), z.unknown())])
      .exactOptional()
      .describe(
        'A `response_template` of a Hugging Face tokenizer, or the file that holds it, such as `tokenizer_config.json`. A relative path counts from where the gateway starts.',
      ),
  })
  .describe('A dialect as data: one of `table` and `responseTemplate`. See docs/zero-day.md.');

/** A dialect as the configuration holds it. */
export type DialectConfig = z.output<typeof dialectSchema>;
