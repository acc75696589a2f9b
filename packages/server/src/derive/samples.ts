import type { ToolDefinition } from '@dragoman/core';

/** A conversation as chat templates take it, with what else they are given. */
export interface Conversation {
  readonly messages: readonly Readonly<Record<string, unknown>>[];
  readonly tools?: readonly Readonly<Record<string, unknown>>[];
  readonly add_generation_prompt: boolean;
}

/** Renders a conversation; undefined where the template refuses it. */
export type Render = (conversation: Conversation) => string | undefined;

/** What is asked of a template, and nobody else would write. Nine letters and digits: some templates refuse other ids. */
export const sentinels = {
  user: 'zquserzq',
  next: 'zqnextzq',
  text: 'zqtextzq',
  reasoning: 'zqthoughtzq',
  results: ['zqresultazq', 'zqresultbzq'],
} as const;

/** A call that is put into a template. */
export interface SampleCall {
  readonly id: string;
  readonly name: string;
  readonly values: Readonly<Record<string, unknown>>;
}

/** How calls are handed to the template; APIs differ, and so do templates. */
export interface Variant {
  /** Arguments as an object, or as its JSON text. */
  readonly arguments: 'object' | 'string';
  /** What an assistant's message without text has. */
  readonly content: '' | null;
  /** Ids without a meaning, or such that hold name and place. */
  readonly ids: 'plain' | 'functions';
}

export const variants: readonly Variant[] = (['plain', 'functions'] as const).flatMap((ids) =>
  (['object', 'string'] as const).flatMap((form) =>
    (['', null] as const).map((content) => ({ ids, arguments: form, content })),
  ),
);

const names = ['zqtool_a', 'zqtool_b'] as const;
const ids = ['zqidaaaa1', 'zqidbbbb2'] as const;

function call(at: 0 | 1, variant: Variant, values: SampleCall['values']): SampleCall {
  return { name: names[at], id: variant.ids === 'plain' ? ids[at] : `functions.${names[at]}:${at}`, values };
}

const strings = (letter: string) => ({ zqkey_a: `zqvalue_a${letter}`, zqkey_b: `zqvalue_b${letter}` });

/** One value of each type that JSON has. */
export const typedValues = {
  zqkey_a: 'zqvalue_aa',
  zqnumber: 41.5,
  zqflag: true,
  zqlist: ['zqitem', 2],
  zqobject: { zqinner: 'zqvalue_i', zqoff: false },
} as const;

/** The calls of the samples, by what is asked. */
export function sampleCalls(variant: Variant) {
  return {
    one: [call(0, variant, strings('a'))],
    two: [call(0, variant, strings('a')), call(1, variant, strings('b'))],
    empty: [call(0, variant, {})],
    typed: [call(0, variant, typedValues)],
  } as const;
}

export type SampleName = keyof ReturnType<typeof sampleCalls>;

const properties = {
  zqkey_a: { type: 'string', description: 'a' },
  zqkey_b: { type: 'string', description: 'b' },
  zqnumber: { type: 'number', description: 'c' },
  zqflag: { type: 'boolean', description: 'd' },
  zqlist: { type: 'array', items: {}, description: 'e' },
  zqobject: { type: 'object', properties: {}, description: 'f' },
};

/** The tools that the calls are of. */
export const sampleTools: readonly ToolDefinition[] = names.map((name) => ({
  name,
  description: 'sample',
  inputSchema: { type: 'object', properties, required: [] },
}));

const declared = sampleTools.map(({ name, description, inputSchema }) => ({
  type: 'function',
  function: { name, description, parameters: inputSchema },
}));

const user = { role: 'user', content: sentinels.user };
const said = { role: 'assistant', content: sentinels.text };

function conversation(messages: Conversation['messages'], add_generation_prompt = false): Conversation {
  return { messages, tools: declared, add_generation_prompt };
}

function calling(calls: readonly SampleCall[], variant: Variant, content: string | null = variant.content) {
  const tool_calls = calls.map(({ id, name, values }) => ({
    id,
    type: 'function',
    function: { name, arguments: variant.arguments === 'object' ? values : JSON.stringify(values) },
  }));
  return { role: 'assistant', content, tool_calls };
}

/** Conversations without calls: turns, thinking, and what the prompt opens. */
export const plainConversations = {
  said: conversation([user, said]),
  answered: conversation([user, said, { role: 'user', content: sentinels.next }]),
  asked: conversation([user], true),
  reasoned: conversation([user, { ...said, reasoning_content: sentinels.reasoning, thinking: sentinels.reasoning }]),
} as const;

/** A reply that calls, as the last message, without text before the calls or with it. */
export function callConversation(
  sample: SampleName,
  variant: Variant,
  text: 'silent' | 'said' = 'silent',
): Conversation {
  const content = text === 'said' ? sentinels.text : variant.content;
  return conversation([user, calling(sampleCalls(variant)[sample], variant, content)]);
}

/** Calls with their results, and an answer. */
export function resultConversation(variant: Variant, sample: 'one' | 'two'): Conversation {
  const calls = sampleCalls(variant)[sample];
  const results = calls.map(({ id, name }, index) => ({
    role: 'tool',
    tool_call_id: id,
    name,
    content: sentinels.results[index],
  }));
  return conversation([user, calling(calls, variant), ...results, said]);
}

/** Everything that is ever asked of a template. */
export function allConversations(): readonly Conversation[] {
  const samples: readonly SampleName[] = ['one', 'two', 'empty', 'typed'];
  return [
    ...Object.values(plainConversations),
    ...variants.flatMap((variant) => [
      ...samples.flatMap((sample) => [callConversation(sample, variant), callConversation(sample, variant, 'said')]),
      resultConversation(variant, 'one'),
      resultConversation(variant, 'two'),
    ]),
  ];
}
