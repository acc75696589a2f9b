/** Every `ToolDocForm`, shortest first. */
export const toolDocForms = ['line', 'signature', 'stub', 'schema'] as const;

/** How much of a tool is told: its name and purpose, its call, a stub with comments, or its whole schema. */
export type ToolDocForm = (typeof toolDocForms)[number];

/** The prompts that a user can write anew, and when each of them is said. */
export const promptTemplates = {
  'first-tools':
    'begins a conversation in which tools can be called; also said when the system text or the tools have changed',
  tools: 'a request in a conversation that knows the tools',
  results: 'the results of the calls that the model has made',
  'first-simple': 'begins a conversation without tools; also said when the system text has changed',
  simple: 'a request in a conversation without tools',
} as const;

export type TemplateName = keyof typeof promptTemplates;

/** What a template can say. Each variable is a text, and empty where there is nothing of its kind. */
export const promptVariables = {
  system: "the client's system text; only in a new conversation and when it has changed",
  tools: 'how tools are called and what each of them does, as the dialect teaches it; when `system` is told',
  tool_list: 'the tools once more, one after the other, as short as `toolDocs` says',
  call_example: "a call of the first tool in the model's own form",
  instructions: 'what is in the last `<instructions>` of system text or user',
  rules: 'the file of rules',
  attachments: 'all `<attachments>`, with their tags',
  context:
    'what surrounds the request: `<context>`, `<environment_info>`, `<workspace_info>`, `<editorContext>`, `<repoContext>` and `<conversation-summary>` with their tags, and messages of the user before the last one',
  history: 'the conversation so far, where the upstream does not know it',
  results: 'the results of calls, as the model rule words them',
  task: 'what the user says last',
} as const;

export type PromptVariable = keyof typeof promptVariables;

/** A text for each variable. Templates see nothing else, and take none of it for a part of themselves. */
export type PromptValues = Readonly<Record<PromptVariable, string>>;

/** What a template has to say, because nothing else would. All else it may leave out without losing a word of the client's. */
export const requiredVariables: Readonly<Record<TemplateName, readonly PromptVariable[]>> = {
  'first-tools': ['system', 'tools', 'history', 'results', 'task'],
  tools: ['task'],
  results: ['system', 'tools', 'results', 'task'],
  'first-simple': ['system', 'history', 'results', 'task'],
  simple: ['task'],
};

/** A template that is ready to be said. */
export interface PromptTemplate {
  /** The variables that it names. What it does not name stays where the client wrote it. */
  readonly mentions: ReadonlySet<PromptVariable>;
  /** Lines of its own words that are headings: nothing that others said may look like one. */
  readonly headings: readonly string[];
  /** The text. Never throws; its work is linear in what the values hold. */
  render(values: PromptValues): string;
}

/** The prompts of a model. */
export interface Prompts {
  /** The templates as they are now; they may be others at the next request. */
  templates(): Readonly<Record<TemplateName, PromptTemplate>>;
  /** Rules of whoever runs the gateway; empty: none. */
  rules(): string;
  /** How `tool_list` tells a tool. */
  readonly toolDocs: ToolDocForm;
  /** `merge`: every context once; `newest`: of several with the same tag only the newest. */
  readonly context: 'merge' | 'newest';
}
