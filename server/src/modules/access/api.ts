export { approversAt, approves, approvesAs, colleaguesApproving, holdersAbove } from './approvers.ts';
export { checkRegroup, shedRoles } from './gained-by-regroup.ts';
export { areOneHand, forgetGiven, heldSince, isHandOf, noteGiven, weekBefore } from './given.ts';
export {
  addRoles,
  checkFounding,
  checkGrant,
  dropManaged,
  dropRoles,
  type Given,
  invalidateRights,
  mergeManaged,
  outranks,
  reaches,
  setManaged,
  setRoles,
  stillGiven,
} from './grants.ts';
export { covers, type Held, heldBy, heldNow, heldOf, isAdministrator, rightsIn } from './held.ts';
export { checkSeen, hiddenHolder, unhidden } from './hidden.ts';
export {
  actorOf,
  codesWith,
  heldMenus,
  mayDo,
  mayStill,
  menusOf,
  permissionsOf,
  platformsOf,
  reachOf,
  rightsOf,
  without,
} from './rights.ts';
export { leavesOut, menuCountOf } from './role.queries.ts';
export { roleName } from './role-name.ts';
export { seededRole, seededRoles } from './seed-roles.ts';
