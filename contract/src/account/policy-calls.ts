import { z } from 'zod';
import { LoginPolicy, PasswordPolicyEdit } from '../auth/policy.ts';
import { call, calls } from '../kit/call.ts';
import { Id, ref } from '../kit/schema.ts';
import { dual } from '../settings/change-request-calls.ts';

const Line = z.strictObject({ productLineId: ref('dept') });
const readable = 'settings:system:page';
const editable = 'settings:policy:update';

/** The policies of a product line, whole: what is edited replaces what was. `seen` is the one that the form was filled from: a save over
 * another one is OVERTAKEN. */
export const policyCalls = calls('account', '/sys/user/policy', {
  /** The product lines of the scope: each has policies of its own. */
  lines: call({ can: readable, reads: true, output: z.array(z.object({ id: Id, name: z.string() })) }),
  loginDetail: call({ can: readable, reads: true, path: '/sys/user/loginPolicy/detail', input: Line, output: LoginPolicy }),
  loginEdit: call({
    can: editable,
    ...dual,
    path: '/sys/user/loginPolicy/edit',
    input: z.strictObject({ productLineId: ref('dept'), policy: LoginPolicy, seen: LoginPolicy.optional() }),
    faults: ['ADDRESS_SHUTS_OUT', 'NOT_A_LINE', 'MFA_FIRST', 'DUAL_NOBODY'],
  }),
  pwdDetail: call({ can: readable, reads: true, path: '/sys/user/pwdPolicy/detail', input: Line, output: PasswordPolicyEdit }),
  pwdEdit: call({
    can: editable,
    ...dual,
    path: '/sys/user/pwdPolicy/edit',
    input: z.strictObject({ productLineId: ref('dept'), policy: PasswordPolicyEdit, seen: PasswordPolicyEdit.optional() }),
    faults: ['NOT_A_LINE', 'DUAL_NOBODY'],
  }),
});
