export { addUser, type NewUser } from './add-user.ts';
export { firstAdministrator } from './first-administrator.ts';
