import { type RepairName, repairs } from './parser/call-warnings.ts';
import {
  anything,
  atLeastOne,
  byForm,
  either,
  type Kind,
  listOf,
  type Merged,
  type ObjectOf,
  object,
  oneOf,
  onOff,
  optional,
  prose,
  required,
  someText,
  text,
} from './table/fields.ts';

// Table: every field of a dialect's table, with what a model writes. ⏎ is a newline.

const texts = listOf(someText);

const repairNames: Kind<RepairName> = {
  is: { type: 'word', words: Object.keys(repairs), meaning: { name: 'repair', of: repairs } },
};

const literalFields = {
  text: required(text, 'The marker, white space included: `<tool_call>`.'),
  repair: optional(
    repairNames,
    'It is written by mistake, and what is reported of the call then: `tokens` where `<tool_call>` stands for `<longcat_tool_call>`.',
  ),
  place: optional(
    oneOf('line-start', 'reply-start'),
    'Where alone it counts: `line-start` of `function call`. Default: anywhere.',
  ),
  end: optional(
    either(text, texts),
    'Of an opener before a name: what comes after that, where it differs from `end` of its call.',
  ),
  unnamed: optional(text, 'Of an opener with attributes: the name where none says it, `json` of `<|open|>json`.'),
  alone: optional(onOff, 'Of a section with blocks: calls are in it without them: `<steptml:toolcall>`.'),
  afterCall: optional(onOff, 'Of a result: it counts only directly after a call, without any space, as `[` does.'),
};
const literal = either(text, object('literal', literalFields));
const literals = listOf(literal);
/** One text, or several ways to write it. */
const spellings = either(text, atLeastOne(literal));

const aroundFields = {
  opener: required(text, 'Before it: `<tool_responses>⏎`.'),
  closer: optional(text, 'After it: `⏎</tool_responses>`. Default: nothing.'),
};
const around = object('around', aroundFields);

const markedFields = {
  opener: required(spellings, 'Before it: `<tool_calls>`.'),
  closer: optional(spellings, 'After it: `</tool_calls>`. Default: nothing.'),
};
const marked = object('marked', markedFields);

const callFields = {
  opener: required(
    spellings,
    'Before a call: `<tool_call>⏎`. Of `json` and `python` it, or one of several, may be empty: then a call is at the start of a line, with the name of a tool in it. Of `tags` it ends before the name: `<function=`, `<invoke name="`.',
  ),
  closer: optional(
    spellings,
    'After a call: `⏎</tool_call>`. Default: nothing, where the form says that a call is over.',
  ),
  block: optional(marked, 'Around each call, outside of opener and closer: `<tool_call>⏎` before `<function=read>`.'),
  between: optional(
    text,
    'Between two calls. Default: a newline where `grouping` is `each`, else a comma and a space.',
  ),
  written: optional(
    prose,
    'How a call is written, where it is not the first of all literals in a row: `{call}` stands for that, `{body}` for it without opener and closer, `{name}`, `{arguments}`, `{id}` and `{index}` for what the call says. With the grouping `list` or `sequence` it is a round.',
  ),
  closerOptional: optional(
    onOff,
    'Nothing is reported where the closer is missing: servers take away a stop token such as `<|call|>`.',
  ),
};

const grouping = optional(
  oneOf('each', 'list', 'sequence'),
  'How the calls of a round stand: `each` between an opener and a closer of its own, which is the default, all as one `list` between them, or one after the other, in `sequence`.',
);

const jsonFields = {
  grouping,
  brackets: optional(around, 'Of a written list. Default: `[` and `]`.'),
  keys: optional(
    object('keys', {
      name: optional(text, 'Of the name of the tool: `tool_name`.'),
      arguments: optional(text, 'Of the arguments: `parameters`.'),
      id: optional(text, 'Of the id: `tool_call_id`.'),
    }),
    'The keys where they are not `name` and `arguments`; without `id` calls have none.',
  ),
  keyed: optional(onOff, 'The one key of an object is the name: `{"read": {…}}`.'),
  object: optional(
    prose,
    'An object as it is written: `{"name":{name},"args":{arguments}}`. Default: with its keys, and spaces after signs.',
  ),
  fenced: optional(onOff, 'A Markdown fence may be around the JSON: `` ```json⏎{}⏎``` ``.'),
  guarded: optional(
    onOff,
    'The opener is in prose, too: it counts only with the name of a tool after it, as `function call` does.',
  ),
  reader: optional(
    text,
    'What reads a header between opener and JSON, such as `read<|message|>`: the name of a reader.',
  ),
};

const headerFields = {
  header: optional(
    text,
    'What is between opener and separator: `{name}`, and perhaps `{id}`, or `{index}` for the place of the call in the conversation; a header with an index is itself the id: `functions.{name}:{index}`. Default: `{name}`.',
  ),
  idOptional: optional(onOff, 'The id in the header, such as `[CALL_ID]a1`, is written only where the model gave one.'),
  reader: optional(
    text,
    'What reads the header where that takes more, such as `to=functions.read`: the name of a reader.',
  ),
  separator: optional(
    spellings,
    'Between header and arguments: `[ARGS]`. Default: nothing, the brace of the arguments ends the header.',
  ),
  fenced: optional(onOff, 'A Markdown fence is around the arguments: `` ```json⏎{}⏎``` ``.'),
  guarded: optional(
    onOff,
    'The opener is in prose, too: it counts only with arguments or the closer after the header, as `<function=` does.',
  ),
  notBefore: optional(texts, 'After the header it shows that another form is meant: `<parameter`.'),
  argumentsRepair: optional(
    repairNames,
    'What is reported where arguments are there at all: `json` of `<function=read>{}`. Default: nothing.',
  ),
};

const parameterFields = {
  opener: required(spellings, 'Before the key: `<parameter=`.'),
  end: required(
    either(text, texts),
    'After the key: `>⏎`. A newline here and one before the closer put values on lines of their own.',
  ),
  value: optional(spellings, 'Before the value, where a marker of its own opens it: `<arg_value>`.'),
  closer: required(spellings, 'After the value: `⏎</parameter>⏎`; `{key}` in it stands for the key.'),
  typed: optional(
    object('typed', {
      attribute: required(text, 'The name of the attribute: `string`.'),
      text: required(text, 'What it says of a text: `true`.'),
      json: required(text, 'What it says of JSON: `false`.'),
    }),
    'An attribute after the key says whether the value is text or JSON: `string="true"`.',
  ),
};

const tagsFields = {
  end: required(
    either(text, texts),
    'After the name: `>`, or `">`; nothing but white space: the name ends with its line. Others of a list are read, too; one that goes on after the first, such as `"><arguments>`, is around all parameters.',
  ),
  endRepair: optional(
    repairNames,
    'What is reported where `end` is missing before the first parameter. Default: then it is no call.',
  ),
  parameter: required(
    object('parameter', parameterFields),
    'How a parameter is written: `<parameter=path>⏎a.md⏎</parameter>`.',
  ),
  nested: optional(
    object('nested', {
      mark: required(someText, 'What is in front of each tag: `]<]minimax[>[`.'),
      reserved: required(texts, 'Names of tags that are no keys: `tool_call`.'),
    }),
    'Lists and objects are tags inside tags, each with this in front: `]<]minimax[>[<item>a]<]minimax[>[</item>`.',
  ),
  jsonParameters: optional(
    texts,
    'Parameters that may hold all arguments as one JSON object, where the tool has none of the name: `arguments`.',
  ),
  attributes: optional(
    text,
    'What reads and writes the text of an attribute, such as `a &amp; b`: the name of a reader. Default: as it is.',
  ),
};

const namedTagsFields = {
  opener: optional(text, "Before the tool's name: `<function=`. Default: the name is the tag."),
  end: optional(text, 'After a name that has an opener: `>`.'),
  closer: optional(text, 'After a call that has an opener, which needs it: `</function>`.'),
  padded: optional(
    onOff,
    'One newline on each side of a value belongs to the markup: `<path>⏎a.md⏎</path>`. Default: true.',
  ),
  tags: optional(
    text,
    'How names become tags, such as `my_x20_tool` for `my tool`: the name of a reader. Default: as they are.',
  ),
};

const pythonFields = {
  grouping,
  prefix: optional(text, 'May come before a name: `default_api.`.'),
  suffix: optional(text, 'Has to come after a name: `.call`.'),
  wrappers: optional(texts, 'Functions around a call that mean nothing: `print(read())`.'),
};

const gemmaFields = {
  quote: required(text, 'The token on both sides of a string: `<|"|>`.'),
};

const calls = {
  json: jsonFields,
  header: headerFields,
  tags: tagsFields,
  'named-tags': namedTagsFields,
  python: pythonFields,
  gemma: gemmaFields,
};

const alsoFields = {
  repair: optional(
    repairNames,
    'What is reported of a call in this form: `json` where JSON is inside the markers of tags. Default: nothing.',
  ),
  first: optional(onOff, "It is read before the dialect's own form, after the same opener: `[TOOL_CALLS] [`."),
};
const also = byForm('also', { ...callFields, ...alsoFields }, calls);

const sectionFields = {
  ...markedFields,
  optional: optional(onOff, 'It may be missing, and is not written: `<tool_calls>`.'),
  nested: optional(onOff, 'Each call is in its `block` inside of the section, and a missing block is reported.'),
};

const reasoningFields = {
  opener: required(spellings, 'Before the thinking: `[THINK]`, or `[THINK]⏎`: a newline after it is no thinking.'),
  closer: required(
    text,
    'After it, without white space around it, which stays in the thinking and in the text: `[/THINK]`.',
  ),
  until: optional(literals, 'What ends it where the closer is missing, and belongs to what follows: `<|im_start|>`.'),
  atStart: optional(
    onOff,
    'Words rather than markers, which count only at the start of a reply: `Here is my thought process:`.',
  ),
};

const resultFields = {
  opener: required(
    text,
    'Before it: `<tool_response>⏎`. `{name}` stands for the tool, `{quoted}` for it in quotation marks, `{id}` for the id, `{number}` for the place in the round.',
  ),
  closer: optional(text, 'After it: `⏎</tool_response>`. Default: nothing.'),
  between: optional(text, 'Between two results: `⏎⏎`. Default: a newline.'),
  around: optional(around, 'Around all results of a round: `<tool_responses>⏎`.'),
  error: optional(
    around,
    'In place of opener and closer where the tool failed. Default: the text begins with `Error:`.',
  ),
  json: optional(
    anything,
    'The text as JSON: a value in which `{text}`, `{name}`, `{id}` and `{failed}` stand for what they say, such as `{"output": "{text}"}`. Default: as it is.',
  ),
  read: optional(literals, 'What opens one in a reply. Default: what is written, up to the first `{`.'),
};

const toolsFields = {
  opener: required(text, 'Before all of them: `<tools>⏎`, or `[` where they are a list.'),
  closer: required(text, 'After them: `⏎</tools>`.'),
  between: optional(text, 'Between two tools: `,⏎`. Default: a newline.'),
  each: optional(around, 'Around each: `<function>` and `</function>`.'),
  tool: optional(
    prose,
    'How one is described. `function`: `{"type":"function","function":{"name":…}}`. `fields`: `{"name":…,"parameters":…}`. A text with `{name}`, `{description}` and `{parameters}`, the last two as JSON; where there is no description, a line that holds it and no name is left out. Else the name of a reader. Default: `function`.',
  ),
};

const lessonFields = {
  intro: optional(
    prose,
    'Before the tools: `You can call these functions.` Default: that they are between these tags, or in a JSON list.',
  ),
  tools: optional(
    object('tools', toolsFields),
    'How they are described. Default: as lines between `<tools>⏎` and `⏎</tools>`.',
  ),
  form: optional(
    prose,
    'How a call is written: a sentence and an example; `{example}` stands for a call as the table writes it.',
  ),
  rules: optional(
    listOf(prose),
    'Further rules, a sentence each; `{values}` stands for how values of the form are written.',
  ),
};

const reasoning = object('reasoning', reasoningFields);

const tableFields = {
  summary: optional(
    prose,
    'One line for whoever asks what dialects there are: `JSON between tags: Hermes 2`. Default: a call on one line.',
  ),
  call: required(
    byForm('call', callFields, calls),
    'How a call is written: `<tool_call>⏎{"name": "read", "arguments": {}}⏎</tool_call>`.',
  ),
  also: optional(
    listOf(also),
    'Other forms in which its models write calls: `read()` where JSON is taught. They are read, in this order after the same opener, and never written.',
  ),
  section: optional(
    object('section', sectionFields),
    'Around all calls of a reply: `<function_calls>⏎` and `⏎</function_calls>`. It opens only before a call.',
  ),
  strays: optional(
    literals,
    'Closers of other forms, which mean nothing after a call: `</tool_call>` where nothing closes one.',
  ),
  reasoning: optional(
    either(reasoning, listOf(reasoning)),
    "Around the model's thinking, beside `<think>` and `<thinking>`, which every dialect knows: `[THINK]` and `[/THINK]`.",
  ),
  result: optional(
    object('result', resultFields),
    'How a result is written, and what the model would write to make one up. Default: between `<tool_response>⏎` and `⏎</tool_response>`.',
  ),
  otherTurns: optional(
    literals,
    'What opens a turn of another side, which a model makes up after its calls: `<|user|>`.',
  ),
  turnEnds: optional(literals, 'Tokens that end a turn: `<|im_end|>`.'),
  silent: optional(literals, 'What is never shown, such as tags around the visible text: `<response>`.'),
  labels: optional(
    literals,
    'What a transcript writes before an answer; dropped at the start of a reply and after markers: `助手：`.',
  ),
  answerTags: optional(onOff, 'The lesson asks for `<final_answer>` around an answer.'),
  names: optional(
    oneOf('exact'),
    '`exact`: names of tools are read only as they are declared. Default: also in another case or with other separators.',
  ),
  markers: optional(
    texts,
    "Further markers of the model's template, which what users and tools write may not hold: `[INST]`.",
  ),
  plainMarkup: optional(
    onOff,
    'Markers of calls and results are ordinary text, also in a JSON string: `"<tool_call>"`.',
  ),
  ids: optional(
    text,
    'How ids are written, such as `000000001`: the name of a reader. Default: as the model gave it, else the place of the call.',
  ),
  lesson: optional(
    object('lesson', lessonFields),
    'What teaches the tools: a sentence, the tools, the form of a call, and rules after those of every dialect. Default: each tool as a line of JSON between `<tools>` tags, and an example of a call.',
  ),
  readers: optional(texts, 'Code for what no field can say, by name: `harmony`.'),
};

/** What a table may say, for its check and for those who document or edit it. */
export const dialectTable = object('table', tableFields);

/**
 * A dialect as a value that JSON can hold: how a model writes calls, what is around them, and how tools, past calls and
 * results are written for it. Built-in dialects, `dialects` of a configuration, what `dragoman derive` prints and what a
 * `response_template` becomes are all of this type. Code is beside a table only as a reader that it names.
 */
export interface DialectTable extends ObjectOf<typeof tableFields> {}

/** A marker of which there is something to say. */
export interface LiteralForm extends ObjectOf<typeof literalFields> {}

/**
 * A marker. A text is read without the white space around it, and of `{ text }` nothing is left out. `{name}` stands for the
 * name of each declared tool, `{quoted}` for it in quotation marks.
 */
export type Literal = string | LiteralForm;

/** A marker that may be written in several ways: the first is what the model is shown, all are read. */
export type Literals = string | readonly Literal[];

/** What is around something, where both sides are said. */
export interface AroundTable extends Required<ObjectOf<typeof aroundFields>> {}

/** What is around something, in every way in which it is written. */
export interface MarkedAround extends ObjectOf<typeof markedFields> {}

/** Around thinking. */
export interface ReasoningTable extends ObjectOf<typeof reasoningFields> {}

/** A form and its literals. */
export type CallTable = JsonTable | HeaderTable | TagsTable | NamedTagsTable | PythonTable | GemmaTable;

/** A form in which calls are read and never written. */
export type AlsoTable = CallTable & ObjectOf<typeof alsoFields>;

/** How the calls of a round are together. */
export type Grouping = NonNullable<JsonTable['grouping']>;

/** `{"name": …, "arguments": {…}}`, one by one or in a list. */
export interface JsonTable extends ObjectOf<Merged<typeof callFields, typeof jsonFields>> {
  readonly form: 'json';
}

/** A header with the name, then the arguments as JSON: `<function=read>{"path": "a"}</function>`. */
export interface HeaderTable extends ObjectOf<Merged<typeof callFields, typeof headerFields>> {
  readonly form: 'header';
}

/** Parameters one by one in the markup, their values as text: `<function=read><parameter=path>a</parameter></function>`. */
export interface TagsTable extends ObjectOf<Merged<typeof callFields, typeof tagsFields>> {
  readonly form: 'tags';
}

/** How a parameter of a `tags` call is written. */
export interface ParameterTable extends ObjectOf<typeof parameterFields> {}

/**
 * Tags that are the names of parameters: `<read><path>a</path></read>`. Only declared tools and parameters are tags. With an
 * opener the call has a tag of its own: `<function=read><path>a</path></function>`.
 */
export interface NamedTagsTable extends ObjectOf<Merged<typeof callFields, typeof namedTagsFields>> {
  readonly form: 'named-tags';
}

/** `name(key="value")`. */
export interface PythonTable extends ObjectOf<Merged<typeof callFields, typeof pythonFields>> {
  readonly form: 'python';
}

/** `call:name{key:QvalueQ}`, where Q is a token. */
export interface GemmaTable extends ObjectOf<Merged<typeof callFields, typeof gemmaFields>> {
  readonly form: 'gemma';
}

/** How results are written, and what the model would write to make one up. */
export interface ResultTable extends ObjectOf<typeof resultFields> {}

/** How tools are described. */
export interface ToolsTable extends ObjectOf<typeof toolsFields> {}
