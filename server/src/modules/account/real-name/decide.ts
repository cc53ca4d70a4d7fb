import { type RealNameField, realNameFields } from '@mooring/contract/account/real-name-calls';
import { Fault, fault } from '@mooring/contract/kit/fault';
import { sql } from 'kysely';
import type { Ctx, Db } from '../../../platform/context.ts';
import { move } from '../../../platform/db/move.ts';
import { notify } from '../../message/api.ts';
import { auditRowOf, requestFor } from './audit.ts';
import { hasRunOut, realNames } from './hand-in.ts';
import { type RealNameRow, type RequestRow, realNameOf } from './real-name.queries.ts';

/** Settled once: of two auditors at once one decides. */
async function settle(
  db: Db,
  ctx: Ctx,
  id: number,
  outcome: 'approved' | 'refused',
  reasons: object,
): Promise<{ request: RequestRow; row: RealNameRow }> {
  const request = await requestFor(db, ctx, id);
  if (request.user_id === ctx.actor.userId) throw new Fault('REAL_NAME_OWN');
  const settled = await db
    .updateTable('account_real_name_request')
    .set({ outcome, reasons: JSON.stringify(reasons), decided_at: ctx.now(), decided_by_name: ctx.actor.userName })
    .where('id', '=', id)
    .where('outcome', '=', 'waiting')
    .returning('id')
    .execute();
  const row = await realNameOf(db, request.user_id);
  if (settled.length === 0 || !row) throw fault('OVERTAKEN');
  return { request, row };
}

const show = async (db: Db, ctx: Ctx, id: number) => auditRowOf(ctx)(await requestFor(db, ctx, id));
async function invalidateAll(db: Db, ctx: Ctx, path: string): Promise<void> {
  // What was withheld is back, or gone, in their open consoles.
  for (const group of ['/sys/user/realName', '/sys/menus']) await ctx.invalidate(db, group, path);
  await ctx.invalidate(db, '/sys/user/authAudit', '1.');
}

// Past the range policy: these tables are closed to the bound role; `requestFor` adds the range.
export const approveRequest = (ctx: Ctx, id: number) =>
  ctx.unscoped(async (db) => {
    const { request, row } = await settle(db, ctx, id, 'approved', {});
    if (hasRunOut(request.valid_until, ctx.now())) throw new Fault('REAL_NAME_DAY');
    const moved = await move(db, realNames, request.kind === 'org' ? 'approveOrg' : 'approvePerson', [row.id], {
      actorId: ctx.actor.userId,
      set: {
        before: null,
        kind: request.kind,
        name: request.name,
        document_kind: request.document_kind,
        number_sealed: request.number_sealed,
        number_hint: request.number_hint,
        legal_person: request.legal_person,
        valid_until: sql`${request.valid_until}::date`,
        checked_at: ctx.now(),
      },
    });
    if (moved.length === 0) throw fault('OVERTAKEN');
    await notify(db, {
      name: 'realNameApproved',
      params: { day: request.valid_until },
      to: { users: [request.user_id] },
      deptPath: request.dept_path,
      channels: ['centre', 'email'],
    });
    await invalidateAll(db, ctx, request.dept_path);
    ctx.audit({ target: request.account, after: { realName: 'approved', kind: request.kind } });
    return show(db, ctx, id);
  });

/** A refused renewal is good until its day; a refused change of kind leaves the person checked. */
function backTo(row: RealNameRow, now: Date): 'error' | 'willTimeOut' | 'person' {
  if (row.state === '6') return 'person';
  return row.before === '7' && row.until && !hasRunOut(row.until, now) ? 'willTimeOut' : 'error';
}

export const refuseRequest = (ctx: Ctx, id: number, reasons: Partial<Record<RealNameField, string>>) =>
  ctx.unscoped(async (db) => {
    const { kind } = await requestFor(db, ctx, id);
    const known: readonly string[] = realNameFields[kind as 'person'];
    const foreign = Object.keys(reasons).find((field) => !known.includes(field));
    if (foreign) throw new Fault('BAD_INPUT', { fields: { [`reasons.${foreign}`]: 'invalid.unrecognized_keys' } });
    const { request, row } = await settle(db, ctx, id, 'refused', reasons);
    const moved = await move(db, realNames, 'refuse', [row.id], {
      actorId: ctx.actor.userId,
      to: backTo(row, ctx.now()),
      set: { before: null },
      detail: { reasons },
    });
    if (moved.length === 0) throw fault('OVERTAKEN');
    await notify(db, {
      name: 'realNameRefused',
      to: { users: [request.user_id] },
      deptPath: request.dept_path,
      channels: ['centre', 'email'],
    });
    await invalidateAll(db, ctx, request.dept_path);
    ctx.audit({ target: request.account, after: { realName: 'refused', reasons } });
    return show(db, ctx, id);
  });
