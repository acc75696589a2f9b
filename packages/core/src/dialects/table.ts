import { type RepairName, repairs } from './parser/call-warnings.ts';
import {
  anything,
  byForm,
  either,
  type Kind,
  listOf,
  type Merged,
  may,
  needed,
  type ObjectOf,
  object,
  oneOf,
  onOff,
  prose,
  someOf,
  someText,
  text,
} from './table/fields.ts';

// Table: every field of a dialect's table, with what a model writes. ⏎ is a newline.

const texts = listOf(someText);

const repairNames: Kind<RepairName> = {
  is: { type: 'word', words: Object.keys(repairs), meaning: { name: 'repair', of: repairs } },
};

const literalFields = {
  text: needed(text, 'The marker, white space included: `<tool_call>`.'),
  repair: may(
    repairNames,
    'It is written by mistake, and what is reported of the call then: `tokens` where `<tool_call>` stands for `<longcat_tool_call>`.',
  ),
  place: may(
    oneOf('line-start', 'reply-start'),
    'Where alone it counts: `line-start` of `function call`. Default: anywhere.',
  ),
  end: may(
    either(text, texts),
    'Of an opener before a name: what comes after that, where it differs from `end` of its call.',
  ),
  unnamed: may(text, 'Of an opener with attributes: the name where none says it, `json` of `<|open|>json`.'),
  alone: may(onOff, 'Of a section with blocks: calls are in it without them: `<steptml:toolcall>`.'),
  afterCall: may(onOff, 'Of a result: it counts only directly after a call, without any space, as `[` does.'),
};
const literal = either(text, object('literal', literalFields));
const literals = listOf(literal);
/** One text, or several ways to write it. */
const spellings = either(text, someOf(literal));

const aroundFields = {
  opener: needed(text, 'Before it: `<tool_responses>⏎`.'),
  closer: may(text, 'After it: `⏎</tool_responses>`. Default: nothing.'),
};
const around = object('around', aroundFields);

const markedFields = {
  opener: needed(spellings, 'Before it: `<tool_calls>`.'),
  closer: may(spellings, 'After it: `</tool_calls>`. Default: nothing.'),
};
const marked = object('marked', markedFields);

const callFields = {
  opener: needed(
    spellings,
    'Before a call: `<tool_call>⏎`. Of `json` and `python` it, or one of several, may be empty: then a call is at the start of a line, with the name of a tool in it. Of `tags` it ends before the name: `<function=`, `<invoke name="`.',
  ),
  closer: may(spellings, 'After a call: `⏎</tool_call>`. Default: nothing, where the form says that a call is over.'),
  block: may(marked, 'Around each call, outside of opener and closer: `<tool_call>⏎` before `<function=read>`.'),
  between: may(text, 'Between two calls. Default: a newline where `grouping` is `each`, else a comma and a space.'),
  written: may(
    prose,
    'How a call is written, where it is not the first of all literals in a row: `{call}` stands for that, `{body}` for it without opener and closer, `{name}`, `{arguments}`, `{id}` and `{index}` for what the call says. With the grouping `list` or `sequence` it is a round.',
  ),
  closerOptional: may(
    onOff,
    'Nothing is reported where the closer is missing: servers take away a stop token such as `<|call|>`.',
  ),
};

const grouping = may(
  oneOf('each', 'list', 'sequence'),
  'How the calls of a round stand: `each` between an opener and a closer of its own, which is the default, all as one `list` between them, or one after the other, in `sequence`.',
);

const jsonFields = {
  grouping,
  brackets: may(around, 'Of a written list. Default: `[` and `]`.'),
  keys: may(
    object('keys', {
      name: may(text, 'Of the name of the tool: `tool_name`.'),
      arguments: may(text, 'Of the arguments: `parameters`.'),
      id: may(text, 'Of the id: `tool_call_id`.'),
    }),
    'The keys where they are not `name` and `arguments`; without `id` calls have none.',
  ),
  keyed: may(onOff, 'The one key of an object is the name: `{"read": {…}}`.'),
  object: may(
    prose,
    'An object as it is written: `{"name":{name},"args":{arguments}}`. Default: with its keys, and spaces after signs.',
  ),
  fenced: may(onOff, 'A Markdown fence may be around the JSON: `` ```json⏎{}⏎``` ``.'),
  guarded: may(
    onOff,
    'The opener is in prose, too: it counts only with the name of a tool after it, as `function call` does.',
  ),
  reader: may(text, 'What reads a header between opener and JSON, such as `read<|message|>`: the name of a reader.'),
};

const headerFields = {
  header: may(
    text,
    'What is between opener and separator: `{name}`, and perhaps `{id}`, or `{index}` for the place of the call in the conversation; a header with an index is itself the id: `functions.{name}:{index}`. Default: `{name}`.',
  ),
  idOptional: may(onOff, 'The id in the header, such as `[CALL_ID]a1`, is written only where the model gave one.'),
  reader: may(text, 'What reads the header where that takes more, such as `to=functions.read`: the name of a reader.'),
  separator: may(
    spellings,
    'Between header and arguments: `[ARGS]`. Default: nothing, the brace of the arguments ends the header.',
  ),
  fenced: may(onOff, 'A Markdown fence is around the arguments: `` ```json⏎{}⏎``` ``.'),
  guarded: may(
    onOff,
    'The opener is in prose, too: it counts only with arguments or the closer after the header, as `<function=` does.',
  ),
  notBefore: may(texts, 'After the header it shows that another form is meant: `<parameter`.'),
  argumentsRepair: may(
    repairNames,
    'What is reported where arguments are there at all: `json` of `<function=read>{}`. Default: nothing.',
  ),
  channelWords: may(texts, 'What headers of messages that are no calls consist of: `analysis`, `<|constrain|>`.'),
};

const parameterFields = {
  opener: needed(spellings, 'Before the key: `<parameter=`.'),
  end: needed(
    either(text, texts),
    'After the key: `>⏎`. A newline here and one before the closer put values on lines of their own.',
  ),
  value: may(spellings, 'Before the value, where a marker of its own opens it: `<arg_value>`.'),
  closer: needed(spellings, 'After the value: `⏎</parameter>⏎`; `{key}` in it stands for the key.'),
  typed: may(
    object('typed', {
      attribute: needed(text, 'The name of the attribute: `string`.'),
      text: needed(text, 'What it says of a text: `true`.'),
      json: needed(text, 'What it says of JSON: `false`.'),
    }),
    'An attribute after the key says whether the value is text or JSON: `string="true"`.',
  ),
};

const tagsFields = {
  end: needed(
    either(text, texts),
    'After the name: `>`, or `">`; nothing but white space: the name ends with its line. Others of a list are read, too; one that goes on after the first, such as `"><arguments>`, is around all parameters.',
  ),
  endRepair: may(
    repairNames,
    'What is reported where `end` is missing before the first parameter. Default: then it is no call.',
  ),
  parameter: needed(
    object('parameter', parameterFields),
    'How a parameter is written: `<parameter=path>⏎a.md⏎</parameter>`.',
  ),
  nested: may(
    object('nested', {
      mark: needed(someText, 'What is in front of each tag: `]<]minimax[>[`.'),
      reserved: needed(texts, 'Names of tags that are no keys: `tool_call`.'),
    }),
    'Lists and objects are tags inside tags, each with this in front: `]<]minimax[>[<item>a]<]minimax[>[</item>`.',
  ),
  jsonParameters: may(
    texts,
    'Parameters that may hold all arguments as one JSON object, where the tool has none of the name: `arguments`.',
  ),
  attributes: may(
    text,
    'What reads and writes the text of an attribute, such as `a &amp; b`: the name of a reader. Default: as it is.',
  ),
};

const namedTagsFields = {
  opener: may(text, "Before the tool's name: `<function=`. Default: the name is the tag."),
  end: may(text, 'After a name that has an opener: `>`.'),
  closer: may(text, 'After a call that has an opener, which needs it: `</function>`.'),
  padded: may(
    onOff,
    'One newline on each side of a value belongs to the markup: `<path>⏎a.md⏎</path>`. Default: true.',
  ),
  tags: may(
    text,
    'How names become tags, such as `my_x20_tool` for `my tool`: the name of a reader. Default: as they are.',
  ),
};

const pythonFields = {
  grouping,
  prefix: may(text, 'May come before a name: `default_api.`.'),
  suffix: may(text, 'Has to come after a name: `.call`.'),
  wrappers: may(texts, 'Functions around a call that mean nothing: `print(read())`.'),
};

const gemmaFields = {
  quote: needed(text, 'The token on both sides of a string: `<|"|>`.'),
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
  repair: may(
    repairNames,
    'What is reported of a call in this form: `json` where JSON is inside the markers of tags. Default: nothing.',
  ),
  first: may(onOff, "It is read before the dialect's own form, after the same opener: `[TOOL_CALLS] [`."),
};
const also = byForm('also', { ...callFields, ...alsoFields }, calls);

const sectionFields = {
  ...markedFields,
  optional: may(onOff, 'It may be missing, and is not written: `<tool_calls>`.'),
  nested: may(onOff, 'Each call is in its `block` inside of the section, and a missing block is reported.'),
};

const reasoningFields = {
  opener: needed(spellings, 'Before the thinking: `[THINK]`.'),
  closer: needed(text, 'After it: `[/THINK]`.'),
  until: may(literals, 'What ends it where the closer is missing, and belongs to what follows: `<|im_start|>`.'),
  atStart: may(
    onOff,
    'Words rather than markers, which count only at the start of a reply: `Here is my thought process:`.',
  ),
};

const resultFields = {
  opener: needed(
    text,
    'Before it: `<tool_response>⏎`. `{name}` stands for the tool, `{quoted}` for it in quotation marks, `{id}` for the id, `{number}` for the place in the round.',
  ),
  closer: may(text, 'After it: `⏎</tool_response>`. Default: nothing.'),
  between: may(text, 'Between two results: `⏎⏎`. Default: a newline.'),
  around: may(around, 'Around all results of a round: `<tool_responses>⏎`.'),
  error: may(around, 'In place of opener and closer where the tool failed. Default: the text begins with `Error:`.'),
  json: may(
    anything,
    'The text as JSON: a value in which `{text}`, `{name}`, `{id}` and `{failed}` stand for what they say, such as `{"output": "{text}"}`. Default: as it is.',
  ),
  read: may(literals, 'What opens one in a reply. Default: what is written, up to the first `{`.'),
};

const toolsFields = {
  opener: needed(text, 'Before all of them: `<tools>⏎`, or `[` where they are a list.'),
  closer: needed(text, 'After them: `⏎</tools>`.'),
  between: may(text, 'Between two tools: `,⏎`. Default: a newline.'),
  each: may(around, 'Around each: `<function>` and `</function>`.'),
  tool: may(
    prose,
    'How one is described. `function`: `{"type":"function","function":{"name":…}}`. `fields`: `{"name":…,"parameters":…}`. A text with `{name}`, `{description}` and `{parameters}`, the last two as JSON; where there is no description, a line that holds it and no name is left out. Else the name of a reader. Default: `function`.',
  ),
};

const lessonFields = {
  intro: may(
    prose,
    'Before the tools: `You can call these functions.` Default: that they are between these tags, or in a JSON list.',
  ),
  tools: may(
    object('tools', toolsFields),
    'How they are described. Default: as lines between `<tools>⏎` and `⏎</tools>`.',
  ),
  form: may(
    prose,
    'How a call is written: a sentence and an example; `{example}` stands for a call as the table writes it.',
  ),
  rules: may(
    listOf(prose),
    'Further rules, a sentence each; `{values}` stands for how values of the form are written.',
  ),
};

const reasoning = object('reasoning', reasoningFields);

const tableFields = {
  summary: may(
    prose,
    'One line for whoever asks what dialects there are: `JSON between tags: Hermes 2`. Default: a call on one line.',
  ),
  call: needed(
    byForm('call', callFields, calls),
    'How a call is written: `<tool_call>⏎{"name": "read", "arguments": {}}⏎</tool_call>`.',
  ),
  also: may(
    listOf(also),
    'Other forms in which its models write calls: `read()` where JSON is taught. They are read, in this order after the same opener, and never written.',
  ),
  section: may(
    object('section', sectionFields),
    'Around all calls of a reply: `<function_calls>⏎` and `⏎</function_calls>`. It opens only before a call.',
  ),
  strays: may(
    literals,
    'Closers of other forms, which mean nothing after a call: `</tool_call>` where nothing closes one.',
  ),
  reasoning: may(
    either(reasoning, listOf(reasoning)),
    "Around the model's thinking, beside `<think>` and `<thinking>`, which every dialect knows: `[THINK]` and `[/THINK]`.",
  ),
  result: may(
    object('result', resultFields),
    'How a result is written, and what the model would write to make one up. Default: between `<tool_response>⏎` and `⏎</tool_response>`.',
  ),
  otherTurns: may(literals, 'What opens a turn of another side, which a model makes up after its calls: `<|user|>`.'),
  turnEnds: may(literals, 'Tokens that end a turn: `<|im_end|>`.'),
  silent: may(literals, 'What is never shown, such as tags around the visible text: `<response>`.'),
  labels: may(
    literals,
    'What a transcript writes before an answer; dropped at the start of a reply and after markers: `助手：`.',
  ),
  answerTags: may(onOff, 'The lesson asks for `<final_answer>` around an answer.'),
  names: may(
    oneOf('exact'),
    '`exact`: names of tools are read only as they are declared. Default: also in another case or with other separators.',
  ),
  markers: may(
    texts,
    "Further markers of the model's template, which what users and tools write may not hold: `[INST]`.",
  ),
  plainMarkup: may(onOff, 'Markers of calls and results are ordinary text, also in a JSON string: `"<tool_call>"`.'),
  ids: may(
    text,
    'How ids are written, such as `000000001`: the name of a reader. Default: as the model gave it, else the place of the call.',
  ),
  lesson: may(
    object('lesson', lessonFields),
    'What teaches the tools: a sentence, the tools, the form of a call, and rules after those of every dialect. Default: each tool as a line of JSON between `<tools>` tags, and an example of a call.',
  ),
  readers: may(texts, 'Code for what no field can say, by name: `harmony`.'),
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
export interface Around extends Required<ObjectOf<typeof aroundFields>> {}

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
