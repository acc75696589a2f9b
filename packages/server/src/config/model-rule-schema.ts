import {
  callPolicyWords,
  defaultCallPolicy,
  defaultModelRule,
  finalAnswerWords,
  nudgedAnswers,
  resultWords,
  ruleWords,
} from '@dragoman/core';
import { z } from 'zod';
import { flag, optional, text, whole, word } from './schema-values.ts';

/** What a model rule may decide of calls; each field is documented at `CallPolicy` in core. */
const policySchema = z
  .strictObject({
    reasoning: word(callPolicyWords.reasoning, defaultCallPolicy.reasoning).describe(
      'Whole calls in reasoning, when a reply ends well without any other call: not run and not reported; not run, but reported where the reply holds no answer either; or run.',
    ),
    fences: word(callPolicyWords.fences, defaultCallPolicy.fences).describe(
      'Call syntax that is shown, in code fences and code spans, indented code, quotations, `<pre>` and `<code>`, or HTML comments: stays text, or fires.',
    ),
    undeclared: word(callPolicyWords.undeclared, defaultCallPolicy.undeclared).describe(
      'Calls to tools that the client did not declare: are passed on for the client to answer, stay text, or are left out with a warning.',
    ),
    names: optional
      .word(callPolicyWords.names)
      .describe(
        'How far a tool name may differ from the declared one: not at all; in letter case, `-` and `_` or a `functions.` prefix; or also in one or two letters. Default: `normalised`, with `cline-xml` `exact`.',
      ),
    entities: word(callPolicyWords.entities, defaultCallPolicy.entities).describe(
      'Character references such as `&lt;` in strings that a model writes as text between tags: stay as they are, or are decoded once in values without a raw `<`, `>` or bare `&`.',
    ),
    textAfterCalls: word(callPolicyWords.textAfterCalls, defaultCallPolicy.textAfterCalls).describe(
      'Text that the model writes after a call: delivered, or left out with a warning.',
    ),
    maxCalls: optional.whole(1).describe('The most calls in a reply, for a client that allows any number.'),
    surplus: word(callPolicyWords.surplus, defaultCallPolicy.surplus).describe(
      'Calls in text beyond what `maxCalls` or the client allows, all of them with `tool_choice` `none`, and those of other tools than the one that `tool_choice` names: stay text, or are left out with a warning. Native ones are always left out with a warning.',
    ),
  })
  .describe('What counts as a call, and what becomes of what does not; see docs/policies.md.');

const { results } = defaultModelRule;

/** What says more is no reminder of instructions, but instructions. */
const longestRedundant = 300;

const granularity = z.union([
  z.enum(['as-written', 'whole', 'characters', 'words']),
  z.strictObject({ size: z.int().min(1) }),
]);

const resultRule = z
  .strictObject({
    format: word(resultWords.format, results.format).describe(
      'How a tool result is worded for a model that reads only text; `native` is the form of the dialect.',
    ),
    mode: word(resultWords.mode, results.mode).describe(
      'Missing and unmatched results: repaired with a warning, or refused with 400 `invalid-tool-results`.',
    ),
    orphans: word(resultWords.orphans, results.orphans).describe(
      'Results without a call, unless `mode` is `strict`: `text` keeps them as text of the user, `call` makes up a call for each, `drop` leaves them out, `auto` keeps them if no result has a call.',
    ),
    maxLength: whole(0, results.maxLength).describe(
      'The longest result in UTF-16 units; a note stands for what is left out of its middle. 0: no limit.',
    ),
    maxRoundLength: whole(0, results.maxRoundLength).describe(
      'The same for all results of one round together: the longest ones are shortened. 0: no limit.',
    ),
    errorPrefix: flag(results.errorPrefix).describe(
      'Whether a result that starts with `Error:` and has no status counts as an error.',
    ),
    ascii: flag(results.ascii).describe('Status marks as plain words instead of symbols.'),
  })
  .describe('How the results of tools are matched with their calls and written for the model.');

const guardRule = z
  .strictObject({
    rounds: optional
      .whole(0)
      .describe(
        'The most rounds of calls for one request of a person; then the model is asked once more, and can call nothing. 0: any number. Default: 20 where the upstream keeps the conversation, else 0.',
      ),
    repeats: optional.flag.describe(
      'Whether a model that makes the same calls with the same results is told so from the third time in a row, and stopped at the sixth. Default: told where it reads only text, stopped where the upstream keeps the conversation.',
    ),
  })
  .describe('What ends a loop of calls that leads nowhere; see docs/models.md.');

const nudge = z
  .strictObject({
    max: z
      .int()
      .min(0)
      .max(3)
      .default(defaultModelRule.nudge.max)
      .describe(
        'How often the model is asked again where the request needs a call (`tool_choice` `required`, or the name of a tool) and its reply lacks that call. The client gets all that was said as one reply. 0: never.',
      ),
    answers: word(nudgedAnswers, defaultModelRule.nudge.answers).describe(
      'Whether the model is asked once more for an answer that has to be JSON and does not fit; its text waits until then (docs/models.md). `auto`: where the form was asked for in words and the client does not stream; `once`: always, so streams wait, too; `never`: such answers are delivered with a warning.',
    ),
  })
  .describe('Asks again for what is required: a call, or an answer of a form.');

const finalAnswer = z
  .strictObject({
    withTools: word(finalAnswerWords.withTools, defaultModelRule.finalAnswer.withTools).describe(
      'Calls in a reply that also holds a final answer: run as ever; delivered, but the reply ends with `stop`; or held back with a warning.',
    ),
  })
  .describe('How a model says that it is done, where its prompt teaches that. For models that read only text.');

const sampling = z
  .strictObject({
    temperature: z.number().min(0).exactOptional().describe('How freely it chooses; 0 is the most likely word.'),
    topP: z
      .number()
      .min(0)
      .max(1)
      .exactOptional()
      .describe('It chooses among the likeliest words that together have this probability.'),
    maxTokens: optional.whole(1).describe('The most tokens the answer may have.'),
    stop: z.array(text).exactOptional().describe('Texts at which the upstream ends the answer.'),
  })
  .describe(
    'How the model samples where the request does not say. Qwen models write calls best with `{ "temperature": 0.55, "topP": 1 }`.',
  );

/**
 * What configuration may say of a model; each field is documented at `ModelRule` in core. Editors offer the `dialectIds`;
 * `checkDialects` refuses what is neither one of them nor a name of the configuration's own.
 */
export function createModelRuleSchema(dialectIds: readonly string[]) {
  const dialect = z.union([z.enum(dialectIds), z.string().min(1)]);
  return z
    .strictObject({
      toolCalling: z
        .union([z.enum(['auto', 'native', 'text']), z.strictObject({ dialect })])
        .default(defaultModelRule.toolCalling)
        .describe(
          'How the model calls tools (docs/models.md). `"auto"`: it is found out. `"native"`: the server takes tools and answers with calls; on the wire `openai-completions`, which carries only text, tools are refused. `"text"`: the server gets no tools, and the model writes its calls in whatever dialect. `{ "dialect": id }`: in this one, which is built in or one of `dialects`.',
        ),
      alsoReads: z
        .array(dialect)
        .default([...defaultModelRule.alsoReads])
        .describe(
          'Further dialects whose calls are read, for a model that writes calls as text and sometimes in another form than it was taught. It is taught its own only.',
        ),
      rescue: flag(defaultModelRule.rescue).describe(
        'Whether whole calls that a native model writes into its text by mistake become calls, each with a warning (docs/models.md). Not where `passthrough` applies.',
      ),
      systemText: word(ruleWords.systemText, defaultModelRule.systemText).describe(
        'Where system text goes: a system message, the front of the first user message, or both. At an upstream that keeps the conversation: the field `{{system}}`, where its description has one, what is said, or both.',
      ),
      systemLabels: word(ruleWords.systemLabels, defaultModelRule.systemLabels).describe(
        'How several system texts are headed in a user message: `Agent Instructions` and `System Context 2`, the second as `Workspace Context`, or all as `System Instructions (Part 1)`.',
      ),
      redundantSystem: z
        .union([z.boolean(), text.max(longestRedundant)])
        .default(false)
        .describe(
          `Whether a short text that sends the model to its instructions is where the upstream has a place for system text, and \`systemText\` puts them elsewhere; or that text itself, of at most ${longestRedundant} characters.`,
        ),
      inject: word(ruleWords.inject, defaultModelRule.inject).describe(
        'When an upstream that keeps the conversation is told system text and tools: when it begins and when they have changed, with every message, or never, because it knows them from elsewhere. Others are told with every request.',
      ),
      reminder: flag(defaultModelRule.reminder).describe(
        'Whether the last message of the user ends with the form of a call, for models that forget it. Not with `prompts`, whose templates say what they want.',
      ),
      contextWindow: whole(0, defaultModelRule.contextWindow).describe(
        'How many tokens prompt and answer may have together; clients see it. 0: what the list of the upstream says, else unknown.',
      ),
      upstreamName: optional.text.describe('The name of the model at the upstream, where it differs.'),
      opened: z
        .literal('reasoning')
        .exactOptional()
        .describe(
          '`"reasoning"` where the chat template ends with the opening mark of reasoning, so that a reply begins inside of it.',
        ),
      callNonce: flag(defaultModelRule.callNonce).describe(
        'Whether the names of tools end with a word of the conversation while the model sees them, such as `read_3f9a01c7`, so that no call which it copies out of a file or a page runs; see docs/policies.md. For models that write calls as text.',
      ),
      policy: policySchema.prefault({}),
      callDeltas: word(ruleWords.callDeltas, defaultModelRule.callDeltas).describe(
        '`eager`: arguments leave as the model writes them; `complete`: a call leaves when it is whole, so one that breaks off never shows in a stream.',
      ),
      legacyText: word(ruleWords.legacyText, defaultModelRule.legacyText).describe(
        '`STATE:` lines, `FINAL:` marks and invented `User:` turns, which older agent prompts taught: text, or left out.',
      ),
      reasoning: word(ruleWords.reasoning, defaultModelRule.reasoning).describe(
        'What the model thinks: shown to clients that do not ask to leave it out, or to nobody.',
      ),
      efforts: z
        .array(text)
        .exactOptional()
        .describe(
          'The efforts of reasoning that the model knows, such as `["low", "medium", "high"]`; another one becomes the nearest. `[]`: none is ever sent, for models that refuse it. Left out: they are sent as clients ask.',
        ),
      outputFormat: word(ruleWords.outputFormat, defaultModelRule.outputFormat).describe(
        "How the model is told that its answer has to be JSON (docs/models.md). `native`: by the upstream's own field. `taught`: in words, for servers that refuse the field. `auto`: by the field, and where the server may not know it in words, too.",
      ),
      constrainCalls: word(ruleWords.constrainCalls, defaultModelRule.constrainCalls).describe(
        'Which calls the server is told to let a text model write (docs/models.md). `auto`: where a request needs a call, one that fits. `choice`: also where it needs none, a call that fits or an answer, for models that never begin a call. `free`: what begins as a call is one that fits; only by a grammar. `json`: where it needs one, plain JSON, by the field for JSON of whatever server. `off`: the model is only taught.',
      ),
      sampling: sampling.default({}),
      textGranularity: granularity
        .default(defaultModelRule.textGranularity)
        .describe(
          'How finely text and reasoning are cut for the client: as the model wrote them, each block in one piece, or pieces of one character, one word or `size` characters. Only the pieces change, never the text.',
        ),
      callGranularity: granularity
        .default(defaultModelRule.callGranularity)
        .describe(
          'The same for the arguments of calls. `"whole"` still shows the name of a call when the model begins it; `callDeltas` says whether a call shows at all before it is whole.',
        ),
      passthrough: word(ruleWords.passthrough, defaultModelRule.passthrough).describe(
        'Whether a reply passes byte for byte where client and upstream speak the same API and no other setting changes it; a whole answer only where time-outs allow it (docs/operations.md). `auto`: from OpenAI and Anthropic themselves, because other servers often need repairing; `always`: whoever answers; `never`: every reply is read, repaired and written anew.',
      ),
      guards: guardRule.prefault({}),
      nudge: nudge.prefault({}),
      finalAnswer: finalAnswer.prefault({}),
      results: resultRule.prefault({}),
      images: optional.flag.describe(
        'Whether the model reads pictures. Default: what the list of the upstream says, else no.',
      ),
      exampleCall: flag(defaultModelRule.exampleCall).describe(
        'Whether a made-up exchange before the conversation shows the model the form of a call.',
      ),
      prompts: optional.flag.describe(
        'Whether everything is said in one text that the templates of `prompts` write (docs/prompts.md). Not for native calls. Default: yes where `prompts` is configured and the upstream keeps the conversation, else no.',
      ),
      maxPromptLength: whole(0, defaultModelRule.maxPromptLength).describe(
        'The longest prompt in UTF-16 units, for models that read only text; where the upstream keeps the conversation, the longest message (docs/models.md). 0: no limit.',
      ),
    })
    .describe('What is known of a model.');
}
