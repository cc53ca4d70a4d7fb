export { onBehalfOf } from './absence.ts';
export type { Approvable, DeclaredApproval } from './approvable.ts';
export { freeGiven, givenFiles, namesOf } from './files.ts';
export { askSoon } from './tell.ts';
