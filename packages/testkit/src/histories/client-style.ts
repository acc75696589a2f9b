/** How a client writes the history that it sends. */
export interface ClientStyle {
  readonly wire: 'openai-chat' | 'openai-responses' | 'anthropic-messages' | 'ollama-chat';
  /** It says which conversation it is. */
  readonly named: boolean;
  /** Arguments of past calls: as they came, or written anew with keys in another order and white space. */
  readonly arguments: 'kept' | 'rewritten';
  /** Texts of past answers lose the white space at their ends. */
  readonly trims: boolean;
  /** Ids of past calls: as they came, in a form of the client's own, or numbered anew in every request. */
  readonly ids: 'kept' | 'prefixed' | 'numbered';
  /** Text that is beside calls is not in the history. */
  readonly dropsText: boolean;
  /** Text and calls of an answer are messages of their own. */
  readonly splits: boolean;
  /** Results come in another order than their calls. */
  readonly swaps: boolean;
  /**
   * Blocks that the client adds to the user's words by itself.
   *
   * - `constant-newest`: the same block, at the newest message only
   * - `changing-newest`: another one each time, at the newest message only
   * - `changing-kept`: another one each time; past ones stay where they were
   * - `first-constant`, `first-changing`: before the first message, always as it is now
   */
  readonly blocks:
    | 'none'
    | 'constant-newest'
    | 'changing-newest'
    | 'changing-kept'
    | 'first-constant'
    | 'first-changing';
  /** The tag around a block; empty: the block is plain text. */
  readonly tag: '' | 'environment_info' | 'reminderInstructions' | 'system-reminder';
  /** A message is one string, and what was added is in it. */
  readonly oneString: boolean;
}

/** What a plain client does: nothing. */
export const plainStyle: ClientStyle = {
  wire: 'openai-chat',
  named: false,
  arguments: 'kept',
  trims: false,
  ids: 'kept',
  dropsText: false,
  splits: false,
  swaps: false,
  blocks: 'none',
  tag: '',
  oneString: false,
};

/** How agents and front ends of our time write, by what they do to a history; several programs share a line. */
export const knownStyles: readonly ClientStyle[] = [
  // curl, and whoever keeps messages as they came.
  plainStyle,
  { ...plainStyle, oneString: true },
  // OpenCode and others by the AI SDK: arguments are values in between.
  { ...plainStyle, oneString: true, arguments: 'rewritten' },
  // Continue, Zed: texts are trimmed.
  { ...plainStyle, oneString: true, trims: true, arguments: 'rewritten' },
  // Copilot Chat: what surrounds the request is rendered once and kept.
  { ...plainStyle, blocks: 'changing-kept', tag: 'environment_info' },
  { ...plainStyle, blocks: 'first-constant', tag: 'environment_info' },
  // Cline, Roo: the same, in one text with the words.
  { ...plainStyle, blocks: 'changing-kept', tag: 'environment_info', oneString: true },
  // Codex: items, and a session's name.
  { ...plainStyle, wire: 'openai-responses', named: true, blocks: 'first-constant', tag: 'environment_info' },
  // The OpenAI SDK with Responses.
  { ...plainStyle, wire: 'openai-responses' },
  // Claude Code: reminders at the newest message, and a session's name.
  {
    ...plainStyle,
    wire: 'anthropic-messages',
    named: true,
    arguments: 'rewritten',
    blocks: 'changing-newest',
    tag: 'system-reminder',
  },
  // The Anthropic SDK; arguments are values there. Results come as they are done.
  { ...plainStyle, wire: 'anthropic-messages', arguments: 'rewritten', swaps: true },
  // Ollama's clients.
  { ...plainStyle, wire: 'ollama-chat', arguments: 'rewritten' },
  // A front end that reminds the model of its rules after each newest message.
  { ...plainStyle, blocks: 'constant-newest', tag: 'reminderInstructions' },
  // One that writes the time before the conversation, always anew.
  { ...plainStyle, blocks: 'first-changing', tag: 'environment_info' },
  // Gateways in between that give ids a form of their own.
  { ...plainStyle, ids: 'prefixed' },
  { ...plainStyle, wire: 'openai-responses', splits: true, ids: 'prefixed' },
];
