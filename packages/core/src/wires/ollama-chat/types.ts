/** The wire's id, under which its own fields ride in `extra`. */
export const wireId = 'ollama-chat';

/** Which of the wire's two endpoints a client has called: messages in and out, or one prompt and its `response`. */
export type Surface = 'chat' | 'generate';

/**
 * Request fields that only this wire knows. They ride in `extra` as they came and are written back for upstreams that
 * speak this wire. `options` rides beside them with what `Sampling` does not model. Everything else is ignored and named
 * in a warning.
 */
export const ridingRequestFields = ['keep_alive', 'think', 'truncate', 'shift', 'logprobs', 'top_logprobs'] as const;
