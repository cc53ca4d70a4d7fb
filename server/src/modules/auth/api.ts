export { countUp, forgetAllFailures } from './attempts.ts';
export { CODE_MINUTES, makeCode, takeCode } from './codes.ts';
export { isLastAdministrator, unlockDue, unlockNow } from './lock.ts';
export { checkPassword, hashPassword } from './password-hash.ts';
export { isExpired, mayComeFrom, type Policies, policiesAt, policiesOfLine, writePolicy } from './policies.ts';
export { countSending } from './send-code.ts';
export { endSession, endSessionsBelow, endSessionsOf, noteProof, openSession } from './sessions.ts';
export { discover } from './sso/provider.ts';
export { giveTicket, type TicketKind, takeTicket, tryTicket } from './tickets.ts';
