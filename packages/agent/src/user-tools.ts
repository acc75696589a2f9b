export { readUserTools, type UserScript, type UserTools } from './user-tools/read-user-tools.ts';
