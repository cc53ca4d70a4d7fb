import { z } from 'zod';
import { call, calls } from '../kit/call.ts';
import { secret } from '../kit/schema.ts';
import { PlatformName, Session } from './calls.ts';

/** Sign-in by an identity provider (OpenID Connect, code flow with PKCE). The browser walks through `start` and `callback`. */
export const ssoCalls = calls('auth', '/sys/login/oidc', {
  config: call({ can: 'public', reads: true, output: z.object({ enabled: z.boolean(), name: z.string() }) }),
  start: call({
    can: 'public',
    reads: true,
    method: 'GET',
    wire: 'binary',
    tx: 'own',
    input: z.strictObject({ platform: PlatformName.default('centre') }),
    faults: ['SSO_OFF', 'SSO_UNREACHABLE'],
  }),
  /** The provider's answer; leads to the login page with a ticket, or with what went wrong. */
  callback: call({
    can: 'public',
    reads: true,
    method: 'GET',
    wire: 'binary',
    tx: 'own',
    input: z.object({
      state: secret(z.string().max(128)).optional(),
      code: secret(z.string().max(4096)).optional(),
      error: z.string().max(256).optional(),
    }),
  }),
  finish: call({
    can: 'public',
    tx: 'own',
    input: z.strictObject({ ticket: secret(z.string().min(1).max(64)) }),
    output: Session,
    faults: ['SSO_REFUSED', 'ADDRESS_REFUSED'],
  }),
});
