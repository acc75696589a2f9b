/** How much a line matters. At `trace` the whole bodies are told. */
export type LogLevel = 'error' | 'warn' | 'info' | 'debug' | 'trace';

/** Hears what the client does and what it tolerates. Lines hold no key; `data` is a body. */
export type Log = (line: { readonly level: LogLevel; readonly message: string; readonly data?: unknown }) => void;
