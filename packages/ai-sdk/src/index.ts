export { type DragomanOptions, dragoman } from './dragoman.ts';
