import { z } from 'zod';
import { call, calls } from '../kit/call.ts';
import { sealed } from '../kit/schema.ts';

export const PlatformName = z.enum(['centre', 'manager']);

/** What a new session is: the token is shown once and goes into Authorization (design 5, "Sessions"). */
export const Session = z.object({ token: z.string(), platform: PlatformName, passwordChange: z.boolean() });
export type Session = z.infer<typeof Session>;

const Captcha = z.strictObject({ id: z.string().max(64), code: z.string().trim().min(1).max(8) });

export const loginCalls = calls('auth', '/sys/login', {
  account: call({
    can: 'public',
    tx: 'own',
    input: z.strictObject({
      account: z.string().trim().min(1).max(128),
      password: sealed('login', { max: 128 }),
      platform: PlatformName.default('centre'),
      captcha: Captcha.optional(),
    }),
    output: Session,
    faults: ['LOGIN_FAILED', 'CAPTCHA_REQUIRED', 'CAPTCHA_WRONG', 'SEAL_REFUSED'],
  }),
  /** A public key, its id and a nonce that works once, for 120 s. */
  random: call({
    can: 'public',
    reads: true,
    output: z.object({ pubKey: z.string(), keyId: z.string(), nonce: z.string(), expiresIn: z.int() }),
  }),
  /** Crossing over: the token of the other platform, without a new sign-in; this one stays. */
  cross: call({ can: 'session', input: z.strictObject({ platform: PlatformName }), output: Session, faults: ['PLATFORM_NOT_ALLOWED'] }),
});

export const doorCalls = calls('auth', '/sys', {
  logout: call({ can: 'session' }),
  captcha: call({ can: 'public', reads: true, method: 'GET', output: z.object({ id: z.string(), image: z.string() }) }),
});
