export { onBehalfOf } from './absence.ts';
export type { Approvable, DeclaredApproval } from './approvable.ts';
export { askSoon } from './tell.ts';
