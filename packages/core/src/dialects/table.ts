import type { RepairName } from './parser/call-warnings.ts';

/**
 * A dialect as a value that JSON can hold: how a model writes calls, what is around them, and how tools, past calls and
 * results are written for it. Built-in dialects, `dialects` of a configuration, what `dragoman derive` prints and what a
 * `response_template` becomes are all of this type. Code is beside a table only as a reader that it names.
 *
 * The example is hermes; what a field says is shown by what the model writes.
 */
export interface DialectTable {
  /** One line for whoever asks what dialects there are. Default: a call on one line. */
  readonly summary?: string;
  /** How a call is written: `<tool_call>⏎{"name": "read", "arguments": {}}⏎</tool_call>`. */
  readonly call: CallTable;
  /** In what other forms its models write calls, in the order in which they are asked after the same opener. */
  readonly also?: readonly AlsoTable[];
  /** Around all calls of a reply: `<function_calls>⏎` and `⏎</function_calls>`. It opens only before a call. */
  readonly section?: SectionTable;
  /** Closers of other forms, which mean nothing after a call: `</tool_call>` where nothing closes one. */
  readonly strays?: readonly Literal[];
  /** Around the model's thinking, beside `<think>` and `<thinking>`, which every dialect knows: `[THINK]` and `[/THINK]`. */
  readonly reasoning?: ReasoningTable | readonly ReasoningTable[];
  /** How a result is written. Default: between `<tool_response>⏎` and `⏎</tool_response>`. */
  readonly result?: ResultTable;
  /** What opens a turn of another side, which a model makes up after its calls: `<|user|>`. */
  readonly otherTurns?: readonly Literal[];
  /** Tokens that end a turn: `<|im_end|>`. */
  readonly turnEnds?: readonly Literal[];
  /** What means nothing and is never shown, such as tags around the visible text: `<response>`. */
  readonly silent?: readonly Literal[];
  /** What a transcript writes before an answer; dropped at the start of a reply and after markers: `助手：`. */
  readonly labels?: readonly Literal[];
  /** The lesson asks for `<final_answer>` around an answer. Default false. */
  readonly answerTags?: boolean;
  /** `exact`: names of tools are read only as they are declared. Default: also in another case or with other separators. */
  readonly names?: 'exact';
  /** Further markers of the model's template, which what users and tools write may not hold: `[INST]`. */
  readonly markers?: readonly string[];
  /** Markers of calls and results are ordinary text, which may be in a JSON string as it is. Default false. */
  readonly plainMarkup?: boolean;
  /** How ids are written: the name of a reader. Default: as the model gave it, else the place of the call in the conversation. */
  readonly ids?: string;
  /** What teaches the tools. Default: each as a line of JSON between `<tools>` tags, and an example of a call. */
  readonly lesson?: LessonTable;
  /** Code for what no field can say, by name. */
  readonly readers?: readonly string[];
}

/**
 * A marker. A text is read without the white space around it, and of `{ text }` nothing is left out. `{name}` stands for the
 * name of each declared tool, `{quoted}` for it in quotation marks.
 */
export type Literal = string | LiteralForm;

/** A marker of which there is something to say. */
export interface LiteralForm {
  readonly text: string;
  /** It is written by mistake, and what is told of the call then: `tokens` where `<tool_call>` stands for `<longcat_tool_call>`. */
  readonly repair?: RepairName;
  /** Where alone it counts. Default: anywhere. */
  readonly place?: 'line-start' | 'reply-start';
  /** Of an opener before a name: what comes after that, where it differs from `end` of its table. */
  readonly end?: string | readonly string[];
  /** Of an opener with attributes: the name where none says it. */
  readonly unnamed?: string;
  /** Of a section with blocks: calls are in it without them. */
  readonly alone?: boolean;
  /** Of a result: it counts only directly after a call, without any space. */
  readonly afterCall?: boolean;
}

/** A marker that may be written in several ways: the first is what the model is shown, all are read. */
export type Literals = string | readonly Literal[];

/** What is around something. */
export interface Around {
  readonly opener: string;
  /** May be empty. */
  readonly closer: string;
}

/** What is around something, in every way in which it is written. */
export interface MarkedAround {
  readonly opener: Literals;
  /** May be empty. */
  readonly closer: Literals;
}

/** Around all calls of a reply. */
export interface SectionTable extends MarkedAround {
  /** Some models write it, and it is nothing to tell of where it is missing; it is not written. Default false. */
  readonly optional?: boolean;
  /** Each call is in its `block` inside of the section, and a missing block is told. Default false. */
  readonly nested?: boolean;
}

/** Around thinking. */
export interface ReasoningTable {
  readonly opener: Literals;
  readonly closer: string;
  /** What ends it where the closer is missing, and belongs to what follows: `<|im_start|>`. */
  readonly until?: readonly Literal[];
  /** Words rather than markers, which count only at the start of a reply: `Here is my thought process:`. */
  readonly atStart?: boolean;
}

/** A form and its literals. */
export type CallTable = JsonTable | HeaderTable | TagsTable | NamedTagsTable | PythonTable | GemmaTable;

/** A form in which calls are read and never written. */
export type AlsoTable = CallTable & {
  /** What is told of a call in this form: `json` where JSON is inside the markers of tags. Default: nothing. */
  readonly repair?: RepairName;
  /** It is asked before the dialect's own form, where both have the same opener. Default false. */
  readonly first?: boolean;
};

/**
 * How the calls of a round are together: each between an opener and a closer of its own, all of them as one list between
 * them, or one after the other between them.
 */
export type Grouping = 'each' | 'list' | 'sequence';

interface CallAround extends MarkedAround {
  /** Around each call, outside of opener and closer: `<tool_call>⏎` before `<function=read>`. */
  readonly block?: MarkedAround;
  /** Between two calls. Default: a newline for `each`, a comma and a space for the others. */
  readonly between?: string;
  /**
   * What is written where it is not the first of all literals, one after the other: a text in which `{call}` stands for that,
   * `{body}` for it without opener and closer, and `{name}`, `{arguments}`, `{id}`, `{index}` for what the call says. With `list`
   * or `sequence` it is the text of a round.
   */
  readonly written?: string;
  /** Servers take the closer away as a stop token, so its absence is nothing to tell of. Default false. */
  readonly closerOptional?: boolean;
}

/** `{"name": …, "arguments": {…}}`, one by one or in a list. */
export interface JsonTable extends CallAround {
  readonly form: 'json';
  /** Empty, or an empty one among others: an object or list at the start of a line, which counts only with the name of a tool in it. */
  readonly opener: Literals;
  /** Default `each`. */
  readonly grouping?: Grouping;
  /** Of a written list. Default `[` and `]`. */
  readonly brackets?: Around;
  /** The keys where they are not `name` and `arguments`; without `id` calls have none. */
  readonly keys?: { readonly name?: string; readonly arguments?: string; readonly id?: string };
  /** The one key of an object is the name: `{"read": {…}}`. */
  readonly keyed?: boolean;
  /** An object as it is written: `{"name":{name},"args":{arguments}}`. Default: with its keys, and spaces after signs. */
  readonly object?: string;
  /** A Markdown fence may be around the JSON. Default false. */
  readonly fenced?: boolean;
  /** The opener is in prose and files, too: it counts only with the name of a tool after it. Default false. */
  readonly guarded?: boolean;
  /** Ends a header between opener and JSON, which may name the tool as well: `<|message_model|>read<|content_invoke_tool_json|>`. */
  readonly headerEnd?: string;
}

/** A header with the name, then the arguments as JSON: `<function=read>{"path": "a"}</function>`. */
export interface HeaderTable extends CallAround {
  readonly form: 'header';
  /**
   * What is between opener and separator: `{name}`, and perhaps `{id}`, or `{index}` for the place of the call in the
   * conversation; a header with an index is itself the id: `functions.{name}:{index}`. Default `{name}`.
   */
  readonly header?: string;
  /** The id in the header is written only where the model gave one. Default false. */
  readonly idOptional?: boolean;
  /** What reads the header where that takes more: the name of a reader. */
  readonly reader?: string;
  /** Between header and arguments; empty: the brace of the arguments ends the header. */
  readonly separator: Literals;
  /** A Markdown fence is around the arguments. Default false. */
  readonly fenced?: boolean;
  /** The opener is in prose, too: it counts only with arguments, or the closer, after the header. Default false. */
  readonly guarded?: boolean;
  /** After the header it shows that another form is meant: `<parameter`. */
  readonly notBefore?: readonly string[];
  /** What is told where arguments are there at all. Default: nothing. */
  readonly argumentsRepair?: RepairName;
  /** What headers of messages that are no calls consist of: `analysis`, `<|constrain|>`. */
  readonly channelWords?: readonly string[];
}

/** Parameters one by one in the markup, their values as text: `<function=read><parameter=path>a</parameter></function>`. */
export interface TagsTable extends CallAround {
  readonly form: 'tags';
  /** Before the name: `<function=`, or up to the quotation mark of an attribute: `<invoke name="`. */
  readonly opener: Literals;
  /** After the name: `>`, or `">`; nothing but white space: the name ends with its line. Others are read, too. */
  readonly end: string | readonly string[];
  /** What is told where `end` is missing before the first parameter. Default: then it is no call. */
  readonly endRepair?: RepairName;
  /** May stand around all parameters and means nothing: `<arguments>`. */
  readonly inner?: string;
  readonly parameter: ParameterTable;
  /** Lists and objects are tags inside tags, each with this in front: `]<]minimax[>[<item>a]<]minimax[>[</item>`. */
  readonly nested?: { readonly mark: string; readonly reserved: readonly string[] };
  /** Parameters that may hold all arguments as one JSON object, where the tool has none of the name. */
  readonly jsonParameters?: readonly string[];
  /** What reads and writes the text of an attribute: the name of a reader. Default: as it is. */
  readonly attributes?: string;
}

/** How a parameter of a `tags` call is written. */
export interface ParameterTable extends MarkedAround {
  /** In front of the key. */
  readonly opener: Literals;
  /** Behind the key. A newline here and one before the closer put values on lines of their own. */
  readonly end: string | readonly string[];
  /** Before the value, where a marker of its own opens it: `<arg_value>`. */
  readonly value?: Literals;
  /** After the value; `{key}` in it stands for the key. */
  readonly closer: Literals;
  /** An attribute behind the key says whether the value is text or JSON: `string="true"`. */
  readonly typed?: { readonly attribute: string; readonly text: string; readonly json: string };
}

/**
 * Tags that are the names of parameters: `<read><path>a</path></read>`. Only declared tools and parameters are tags. With an
 * opener the call has a tag of its own: `<function=read><path>a</path></function>`.
 */
export interface NamedTagsTable extends Partial<CallAround> {
  readonly form: 'named-tags';
  /** Before the tool's name. Default: the name is the tag. */
  readonly opener?: string;
  /** After it. */
  readonly end?: string;
  readonly closer?: string;
  /** One newline on each side of a value belongs to the markup. Default true. */
  readonly padded?: boolean;
  /** How names become tags: the name of a reader. Default: as they are. */
  readonly tags?: string;
}

/** `name(key="value")`. */
export interface PythonTable extends CallAround {
  readonly form: 'python';
  /** Empty, or an empty one among others: a list at the start of a line that begins with a call of a tool. */
  readonly opener: Literals;
  /** Default `each`. */
  readonly grouping?: Grouping;
  /** May come before a name: `default_api.`. */
  readonly prefix?: string;
  /** Has to come after a name: `.call`. */
  readonly suffix?: string;
  /** Functions around a call that mean nothing: `print(read())`. */
  readonly wrappers?: readonly string[];
}

/** `call:name{key:QvalueQ}`, where Q is a token. */
export interface GemmaTable extends CallAround {
  readonly form: 'gemma';
  /** The token Q on both sides of a string. */
  readonly quote: string;
}

/** How results are written, and what the model would write to make one up. */
export interface ResultTable extends Around {
  /** In front; `{name}` stands for the tool, `{quoted}` for it in quotation marks, `{id}` for the id, `{number}` for the place in the round. */
  readonly opener: string;
  /** Between two results. Default a newline. */
  readonly between?: string;
  /** Around all results of a round: `<tool_responses>⏎`. */
  readonly around?: Around;
  /** In place of opener and closer where the tool failed. Default: the text begins with `Error:`. */
  readonly error?: Around;
  /** The text as JSON: a value in which "{text}", "{name}", "{id}" and "{failed}" stand for what they say. Default: as it is. */
  readonly json?: unknown;
  /** What opens one in a reply. Default: what is written, up to the first `{`. */
  readonly read?: readonly Literal[];
}

/** What teaches tools: a sentence, the tools, the form of a call, and rules after those of every dialect. */
export interface LessonTable {
  /** Before the tools. Default: that they are between these tags, or in a JSON list. */
  readonly intro?: string;
  /** How they are described. Default: as lines between `<tools>⏎` and `⏎</tools>`. */
  readonly tools?: ToolsTable;
  /** How a call is written: a sentence and an example; `{example}` stands for a call as the table writes it. */
  readonly form?: string;
  /** Further rules, a sentence each; `{values}` stands for how values of the form are written. */
  readonly rules?: readonly string[];
}

/** How tools are described. */
export interface ToolsTable extends Around {
  /** Between two tools. Default a newline. */
  readonly between?: string;
  /** Around each. */
  readonly each?: Around;
  /**
   * `function`: `{"type":"function","function":{"name":…}}`. `fields`: `{"name":…,"parameters":…}`. A text with `{name}`,
   * `{description}` and `{parameters}`, the last two as JSON; where there is no description, a line that holds it and no name is left out. Else the name of a
   * reader. Default `function`.
   */
  readonly tool?: string;
}
