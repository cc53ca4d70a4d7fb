import { z } from 'zod';
import { LoginPolicy, PasswordPolicyEdit } from '../auth/policy.ts';
import { call, calls } from '../kit/call.ts';
import { Id, ref } from '../kit/schema.ts';
import { dual } from '../settings/change-request-calls.ts';

const Line = z.strictObject({ productLineId: ref('dept') });
const readable = 'settings:system:page';
const editable = 'settings:policy:update';

export const PolicyLine = z.object({ id: Id, name: z.string(), kind: z.enum(['productLine', 'platform']) });
export type PolicyLine = z.output<typeof PolicyLine>;

/** The policies of a product line, or of the platform's own people (1), whole: what is edited replaces what was. `seen` is the one that the form was filled from: a save over
 * another one is OVERTAKEN. */
export const policyCalls = calls('account', '/sys/user/policy', {
  /** The product lines of the scope, and the platform where it is in there: each has policies of its own. */
  lines: call({ can: readable, reads: true, output: z.array(PolicyLine) }),
  loginDetail: call({
    can: readable,
    reads: true,
    path: '/sys/user/loginPolicy/detail',
    input: Line,
    output: LoginPolicy,
    faults: ['NOT_A_LINE'],
  }),
  loginEdit: call({
    can: editable,
    ...dual,
    path: '/sys/user/loginPolicy/edit',
    input: z.strictObject({ productLineId: ref('dept'), policy: LoginPolicy, seen: LoginPolicy.optional() }),
    faults: ['ADDRESS_SHUTS_OUT', 'NOT_A_LINE', 'MFA_FIRST', 'DUAL_NOBODY'],
  }),
  pwdDetail: call({
    can: readable,
    reads: true,
    path: '/sys/user/pwdPolicy/detail',
    input: Line,
    output: PasswordPolicyEdit,
    faults: ['NOT_A_LINE'],
  }),
  pwdEdit: call({
    can: editable,
    ...dual,
    path: '/sys/user/pwdPolicy/edit',
    input: z.strictObject({ productLineId: ref('dept'), policy: PasswordPolicyEdit, seen: PasswordPolicyEdit.optional() }),
    faults: ['NOT_A_LINE', 'DUAL_NOBODY'],
  }),
});
