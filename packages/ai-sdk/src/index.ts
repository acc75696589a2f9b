export { dragoman } from './dragoman.ts';
export type { DragomanOptions } from './options.ts';
