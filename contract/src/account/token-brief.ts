import { z } from 'zod';
import { Id, Moment } from '../kit/schema.ts';

/** What becomes of somebody's tokens when their password changes or they are shut out: they are an identity of their own. */
export const TokenChoice = z.enum(['keep', 'revoke']).default('keep');

/** What becomes of another way to sign in when somebody's password is reset for them: the account may have been somebody else's meanwhile. */
export const WayChoice = z.enum(['keep', 'remove']).default('remove');

/** One of them, as whoever decides sees it. */
export const TokenBrief = z.object({ id: Id, name: z.string(), hint: z.string(), expiresAt: Moment, lastUsedAt: Moment.nullable() });
