export {
  addRoles,
  checkFounding,
  checkGrant,
  dropRoles,
  type Given,
  hiddenHolder,
  outranks,
  reaches,
  setManaged,
  setRoles,
  stillGiven,
  tellRights,
} from './grants.ts';
export { covers, type Held, heldBy, heldNow, heldOf, isAdministrator, rightsIn } from './held.ts';
export { actorOf, codesWith, heldMenus, menusOf, permissionsOf, platformsOf, reachOf, rightsOf, without } from './rights.ts';
export { roleName } from './role-name.ts';
export { seededRole, seededRoles } from './seed-roles.ts';
