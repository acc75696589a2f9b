/** The tokenizer as a module of its own, which the bundle holds: its package is thirty megabytes of tables. */
export { countTokens, setMergeCacheSize } from 'gpt-tokenizer/encoding/o200k_base';
