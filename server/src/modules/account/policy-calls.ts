import { isDeepStrictEqual } from 'node:util';
import { type PolicyLine, policyCalls } from '@mooring/contract/account/policy-calls';
import type { ParsedInputOf } from '@mooring/contract/kit/call';
import { Fault, fault } from '@mooring/contract/kit/fault';
import { sql } from 'kysely';
import type { AppContext } from '../../platform/app-context.ts';
import type { Ctx } from '../../platform/context.ts';
import { lockSet } from '../../platform/db/lock-set.ts';
import { mayComeFrom, policiesOfLine, writePolicy } from '../auth/api.ts';
import { applyOrHold } from '../settings/api.ts';
import { factorsOf } from './second-factor.ts';

/** The top has policies of its own: whoever administers a product line stands below its people. */
const withPolicies: readonly string[] = ['productLine', 'platform'];

async function lineFor(ctx: Ctx, id: number): Promise<Line> {
  const line = await ctx.db
    .selectFrom('org_dept')
    .select(['id', 'kind', 'name', 'dept_path as path'])
    .where('id', '=', id)
    .executeTakeFirst();
  // Those above are readable, their policies aren't this one's to decide.
  if (!line?.path.startsWith(ctx.scope.path)) throw fault('NOT_FOUND');
  if (!withPolicies.includes(line.kind)) throw new Fault('NOT_A_LINE', { fields: { productLineId: 'fault.NOT_A_LINE' } });
  return line;
}
interface Line {
  readonly id: number;
  readonly name: string;
  readonly path: string;
}

export const policyLines = (ctx: Ctx) =>
  ctx.db
    .selectFrom('org_dept')
    .select(['id', 'name', 'kind'])
    .where('kind', 'in', withPolicies)
    .where(sql<boolean>`starts_with(dept_path, ${ctx.scope.path})`)
    .orderBy('kind', 'desc')
    .orderBy('id')
    .limit(200)
    .$castTo<{ id: number; name: string; kind: PolicyLine['kind'] }>()
    .execute();

/** Policies are closed to persons' transactions. */
export async function policies(ctx: Ctx, line: number) {
  await lineFor(ctx, line);
  return ctx.unscoped((db) => policiesOfLine(db, line));
}

/** Whoever edits must not shut out themselves: by their address, or by a factor that they don't have. */
export async function editLoginPolicy(app: AppContext, ctx: Ctx, input: ParsedInputOf<typeof policyCalls.loginEdit>) {
  const line = await lineFor(ctx, input.productLineId);
  if (!mayComeFrom(input.policy, ctx.ip))
    throw new Fault('ADDRESS_SHUTS_OUT', { fields: { 'policy.addresses': 'fault.ADDRESS_SHUTS_OUT' } });
  const own = await ctx.unscoped((db) => factorsOf(db, ctx.actor.userId));
  if (input.policy.mfa === 'required' && own.length === 0) throw new Fault('MFA_FIRST', { fields: { 'policy.mfa': 'fault.MFA_FIRST' } });
  return write(app, ctx, line, 'login', input);
}

export async function editPasswordPolicy(app: AppContext, ctx: Ctx, input: ParsedInputOf<typeof policyCalls.pwdEdit>) {
  const line = await lineFor(ctx, input.productLineId);
  return write(app, ctx, line, 'password', input);
}

type Written = Parameters<typeof writePolicy>[3];
interface Change {
  readonly productLineId: number;
  readonly policy: Written;
  readonly seen?: Written | undefined;
}
const dual = {
  login: { target: 'loginPolicy', call: policyCalls.loginEdit },
  password: { target: 'passwordPolicy', call: policyCalls.pwdEdit },
} as const;

async function write(app: AppContext, ctx: Ctx, line: Line, kind: 'login' | 'password', input: Change) {
  const { policy, seen } = input;
  return ctx.unscoped(async (db) => {
    await lockSet(db, `policy ${kind} ${line.id}`);
    const before = (await policiesOfLine(db, line.id))[kind];
    if (seen !== undefined && !isDeepStrictEqual(seen, before)) throw fault('OVERTAKEN');
    const change = { ...dual[kind], line, input, before, after: policy };
    const outcome = await applyOrHold(ctx, app, db, change, () => writePolicy(db, line.id, kind, policy));
    ctx.audit({ target: `${kind} ${line.name}`, ...(outcome ? { after: outcome } : { before, after: policy }) });
    return outcome;
  });
}
