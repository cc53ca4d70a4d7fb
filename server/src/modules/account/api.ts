export { addUser, type NewUser } from './add-user.ts';
export { firstAdministrator, oneTimePassword } from './first-administrator.ts';
