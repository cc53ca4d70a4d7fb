import { isDeepStrictEqual } from 'node:util';
import type { policyCalls } from '@mooring/contract/account/policy-calls';
import type { ParsedInputOf } from '@mooring/contract/kit/call';
import { Fault, fault } from '@mooring/contract/kit/fault';
import type { Ctx } from '../../platform/context.ts';
import { lockSet } from '../../platform/db/lock-set.ts';
import { mayComeFrom, policiesOfLine, writePolicy } from '../auth/api.ts';
import { factorsOf } from './second-factor.ts';

async function checkLine(ctx: Ctx, id: number): Promise<void> {
  const line = await ctx.db.selectFrom('org_dept').select('kind').where('id', '=', id).executeTakeFirst();
  if (line?.kind !== 'productLine') throw new Fault('NOT_A_LINE', { fields: { productLineId: 'fault.NOT_A_LINE' } });
}

export const policyLines = (ctx: Ctx) =>
  ctx.db.selectFrom('org_dept').select(['id', 'name']).where('kind', '=', 'productLine').orderBy('id').limit(200).execute();

/** Policies are closed to persons' transactions; the line was found in their scope before. */
export const policies = (ctx: Ctx, line: number) => ctx.unscoped((db) => policiesOfLine(db, line));

/** Whoever edits must not shut out themselves: by their address, or by a factor that they don't have. */
export async function editLoginPolicy(ctx: Ctx, input: ParsedInputOf<typeof policyCalls.loginEdit>): Promise<null> {
  await checkLine(ctx, input.productLineId);
  if (!mayComeFrom(input.policy, ctx.ip))
    throw new Fault('ADDRESS_SHUTS_OUT', { fields: { 'policy.addresses': 'fault.ADDRESS_SHUTS_OUT' } });
  const own = await ctx.unscoped((db) => factorsOf(db, ctx.actor.userId));
  if (input.policy.mfa === 'required' && own.length === 0) throw new Fault('MFA_FIRST', { fields: { 'policy.mfa': 'fault.MFA_FIRST' } });
  return write(ctx, input.productLineId, 'login', input);
}

export async function editPasswordPolicy(ctx: Ctx, input: ParsedInputOf<typeof policyCalls.pwdEdit>): Promise<null> {
  await checkLine(ctx, input.productLineId);
  return write(ctx, input.productLineId, 'password', input);
}

type Written = Parameters<typeof writePolicy>[3];
interface Change {
  readonly policy: Written;
  readonly seen?: Written | undefined;
}
async function write(ctx: Ctx, line: number, kind: 'login' | 'password', { policy, seen }: Change): Promise<null> {
  await ctx.unscoped(async (db) => {
    await lockSet(db, `policy ${kind} ${line}`);
    const before = await policiesOfLine(db, line);
    if (seen !== undefined && !isDeepStrictEqual(seen, before[kind])) throw fault('OVERTAKEN');
    await writePolicy(db, line, kind, policy);
    ctx.audit({ target: `${kind} ${line}`, before: before[kind], after: policy });
  });
  return null;
}
