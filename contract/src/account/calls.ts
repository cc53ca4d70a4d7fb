import { z } from 'zod';
import { PasswordPolicy } from '../auth/policy.ts';
import { RegisterKind } from '../auth/register-calls.ts';
import { call, calls } from '../kit/call.ts';
import { sealed } from '../kit/schema.ts';
import { isTimeZone } from '../shared/time-zone.ts';
import { TokenChoice } from './token-brief.ts';

/** User info of specification section 3. `userCategory` '1' means manager. */
export const UserInfo = z.object({
  id: z.int(),
  userName: z.string(),
  account: z.string(),
  email: z.string().nullable(),
  userCategory: z.string(),
  relateDept: z.object({ deptId: z.int(), deptName: z.string(), userType: z.string() }),
  role: z.array(z.string()),
  permissions: z.array(z.string()),
  /** What their roles give on the other platform: whether a way there leads anywhere. */
  permissionsElsewhere: z.array(z.string()),
  platforms: z.array(z.enum(['centre', 'manager'])),
  /** Lists of roles and people leave out product-line and market administrators for them: said there. */
  leavesOut: z.boolean(),
  pwdPatternCheck: z.boolean(),
  pwdExpireCheck: z.boolean(),
  pwdDefFlag: z.boolean(),
  /** 0 off, 1 as one likes, 2 asked of everybody. */
  mfaStatus: z.string(),
  mfaBindStatus: z.string(),
  mobile: z.string().nullable(),
  country: z.string().nullable(),
  /** A small picture as a data address. */
  picture: z.string().nullable(),
  language: z.string().nullable(),
  timeZone: z.string().nullable(),
  /** Registered and not let in yet: which registration to look at. */
  waiting: z.object({ id: z.int(), kind: RegisterKind }).nullable(),
});
export type UserInfo = z.infer<typeof UserInfo>;

export const userCalls = calls('account', '/sys/user', {
  info: call({ can: 'session', reads: true, output: UserInfo }),
  pwdPolicy: call({ can: 'session', reads: true, path: '/sys/user/pwd/policy', output: PasswordPolicy }),
  password: call({
    can: 'session',
    tx: 'own',
    input: z.strictObject({
      password: sealed('password', { max: 128 }),
      newPassword: sealed('newPassword', { max: 128 }),
      tokens: TokenChoice,
    }),
    faults: [
      'PASSWORD_WRONG',
      'PASSWORD_WEAK',
      'PASSWORD_COMMON',
      'PASSWORD_SAME',
      'PASSWORD_USED',
      'PASSWORD_IS_ACCOUNT',
      'PASSWORD_IS_EMAIL',
      'SEAL_REFUSED',
    ],
  }),
  /** Own preferences; the language is remembered here so that it follows the person. */
  editAccount: call({
    can: 'session',
    input: z.strictObject({
      language: z
        .string()
        .regex(/^[A-Za-z]{2,3}(-[A-Za-z0-9]{2,8})*$/, 'invalid.lang')
        .max(16)
        .optional(),
      timeZone: z.string().max(64).refine(isTimeZone, 'invalid.timeZone').optional(),
    }),
  }),
});
