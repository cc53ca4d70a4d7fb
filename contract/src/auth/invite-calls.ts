import { z } from 'zod';
import { call, calls } from '../kit/call.ts';
import { Moment, secret } from '../kit/schema.ts';
import { PasswordPolicy } from './policy.ts';
import { Newcomer, registerDeptFields } from './register-calls.ts';

const Code = secret(z.string().min(16).max(128));
const faults = ['INVITE_OVER', 'PASSWORD_WEAK', 'PASSWORD_COMMON', 'PASSWORD_IS_ACCOUNT', 'PASSWORD_IS_EMAIL', 'SEAL_REFUSED'];
const common = { email: z.string(), inviter: z.string(), expiresAt: Moment, policy: PasswordPolicy };

/** Invitations at the door. Whoever has the code of one needs nobody's approval; it works once. */
export const invitedCalls = calls('auth', '/sys/user/out/invite', {
  user: call({
    can: 'public',
    reads: true,
    path: '/sys/user/out/invite/{code}',
    tx: 'own',
    input: z.strictObject({ code: Code }),
    output: z.object({ ...common, deptName: z.string(), roles: z.array(z.string()) }),
    faults: ['INVITE_OVER'],
  }),
  userRegist: call({
    can: 'public',
    tx: 'own',
    path: '/sys/user/out/invite/regist',
    input: z.strictObject({ invite: Code, ...Newcomer.shape }),
    output: z.object({ account: z.string() }),
    faults,
  }),
  dept: call({
    can: 'public',
    reads: true,
    path: '/sys/dept/out/invite/{code}',
    tx: 'own',
    input: z.strictObject({ code: Code }),
    output: z.object({ ...common, name: z.string(), unitName: z.string() }),
    faults: ['INVITE_OVER'],
  }),
  deptRegist: call({
    can: 'public',
    tx: 'own',
    path: '/sys/dept/out/invite/regist',
    input: z.strictObject({ invite: Code, ...registerDeptFields, ...Newcomer.shape }),
    output: z.object({ account: z.string() }),
    faults,
  }),
});
