export { addUser, type NewUser } from './add-user.ts';
export { TOKEN_PREFIX } from './api-tokens.ts';
export { firstAdministrator, oneTimePassword } from './first-administrator.ts';
export { identifyToken } from './identify-token.ts';
export { findInvite, type OpenInvite, takeInvite } from './member-invite.ts';
export { admitPeople, refusePeople } from './member-join.ts';
export { askPasskey, relyingParty, takePasskey } from './passkeys.ts';
export { factorsOf, takeRecoveryCode, takeTotp, unbindFactors } from './second-factor.ts';
export { checkNewPassword, prepareNewPassword, tellPasswordChanged } from './set-password.ts';
