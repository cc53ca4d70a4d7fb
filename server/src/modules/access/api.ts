export { actorOf, codesWith, menusOf, permissionsOf, platformsOf } from './rights.ts';
export { seededRole } from './seed-roles.ts';
