export {
  checkGrant,
  covers,
  type Held,
  heldBy,
  heldCodes,
  hiddenHolder,
  isAdministrator,
  setManaged,
  setRoles,
  tellRights,
} from './grants.ts';
export { actorOf, codesWith, heldMenus, menusOf, permissionsOf, platformsOf, reachOf, rightsOf, without } from './rights.ts';
export { roleName } from './role-name.ts';
export { seededRole, seededRoles } from './seed-roles.ts';
