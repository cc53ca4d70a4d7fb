export { checkPassword, hashPassword } from './password-hash.ts';
export { endSessionsOf, openSession } from './sessions.ts';
