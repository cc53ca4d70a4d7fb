import type { PassedOver, WhyNot } from '@mooring/contract/engines/rollout/passed-over';
import { ENDED_DAYS, PASSED_SHOWN } from '@mooring/contract/engines/rollout/passed-over';
import { type Refusal, taskClasses, type Unasked } from '@mooring/contract/engines/rollout/schemas';
import { fault } from '@mooring/contract/kit/fault';
import { sql } from 'kysely';
import type { z } from 'zod';
import type { Ctx, Db } from '../../platform/context.ts';
import { pathsAbove } from '../../platform/paths-above.ts';
import { staysOpen } from './join-tasks.ts';
import { lookingAgain, refusalOf, statesOf, unaskedOf } from './match.ts';
import { kindsFor } from './page-tasks.ts';
import { aimOf } from './select-targets.ts';
import { kindNamed, type RolloutKind, readTask, type Task, type TaskRow } from './task.ts';
import { contentOf } from './task-row.ts';
import type { Why } from './why.ts';

const DAY = 86_400_000;
/** Of a release that is under way, or was. */
const chose = sql<boolean>`t.state in ('scheduled', 'running', 'paused', 'halted', 'finished', 'cancelled')`;
const live: readonly string[] = ['scheduled', 'running', 'paused', 'halted'];
const held: readonly string[] = ['paused', 'halted'];

const said = (key: string, params: Why['params'] = {}): Why => ({ key: `why.passed.${key}`, params });

/** What is told to the owner of a release alone: whom else it goes to, those below don't see. */
const ofTargets: readonly Unasked[] = ['sns', 'depts', 'groups', 'merchants', 'firmware', 'tags', 'updatedBy'];
/** Of a terminal that was never in contact, nobody knows any of this. */
const seenAtContact: readonly (Unasked | Refusal)[] = ['firmware', 'updatedBy', 'noPart', 'same', 'newer'];
/** What helps where more may join; where none does, these words of what helps then. */
const advices: Readonly<Partial<Record<Unasked | Refusal, string>>> = {
  groups: 'copy',
  merchants: 'copy',
  tags: 'copy',
  disabled: 'enableAndCopy',
  notSupported: 'updateAndCopy',
};

interface Found {
  readonly unasked: Unasked | null;
  readonly refusal: Refusal | null;
  readonly runs: string | null;
  readonly activated: boolean;
  readonly product: string | null;
}

const takesIn = (task: Task) => live.includes(task.state) && staysOpen(task);

/** It fits, and isn't in it: it came to fit after the release had chosen its terminals, or is about to be taken in. */
function whyNotYet(task: Task, activated: boolean): Why {
  const { state, gathered_at: gathered, ended_at: ended } = task;
  if (ended !== null) return said('ended', { at: ended.toISOString() });
  if (!live.includes(state)) return said('anew');
  if (gathered === null) return said(held.includes(state) ? 'paused' : 'gathering');
  if (task.task_class === taskClasses.preset && !activated) return said('firstContact');
  if (staysOpen(task)) return said('joins');
  return said('later', { at: gathered.toISOString() });
}

/** Why a release doesn't have a terminal, by the rules by which it chose those that it has; as they answer now. */
async function whyPassed(db: Db, kind: RolloutKind, task: Task, deviceId: number, isOwner: boolean): Promise<Why> {
  // What it was of may be gone: the other releases are told about all the same.
  const chosen = await aimOf(db, kind, task, statesOf(task.task_class)).catch(() => undefined);
  if (!chosen) return said('gone');
  const aim = lookingAgain(chosen, task);
  const among = sql<boolean>`d.id = ${deviceId}`;
  const { rows } = await sql<Found>`
    select ${await unaskedOf(db, aim)} as unasked, ${await refusalOf(db, aim, among)} as refusal, ${aim.runs} as runs, d.activated_at is not null as activated,
      (select p.name from product_product p where p.id = ${aim.subject.productId}) as product
    from device d where ${among}`.execute(db);
  const [found] = rows;
  if (!found) return said('reach');
  const { unasked, refusal, runs, activated } = found;
  const why = unasked ?? refusal;
  if (why === null) return whyNotYet(task, activated);
  if (why === 'product') return said('product', { product: found.product ?? '' });
  if (!activated && takesIn(task) && seenAtContact.includes(why)) return said('firstContact');
  if (!isOwner && unasked && ofTargets.includes(unasked)) return said('targets', { version: runs ?? '–' });
  const { [why]: advice } = advices;
  return said(why, { version: runs ?? '–', ...(advice && !takesIn(task) ? { advice: `passed.${advice}` } : {}) });
}

async function whyOf(ctx: Ctx, kind: RolloutKind, task: Task, deviceId: number): Promise<Why> {
  const isOwner = task.dept_path.startsWith(ctx.scope.path);
  // By the rules of the engine, which goes by no policy; what is asked about was found under it.
  return ctx.unscoped((db) => whyPassed(db, kind, task, deviceId, isOwner));
}

type Listed = TaskRow & { readonly package_version: string | null };

/** Of a terminal: releases that are under way or ended lately, are its organisation's or of one above, and don't have it. Newest first. */
export async function passedOver(
  ctx: Ctx,
  kinds: readonly RolloutKind[],
  { deviceId, before }: { deviceId: number; before?: number | undefined },
): Promise<z.input<typeof PassedOver>> {
  const device = await ctx.db
    .selectFrom('device')
    .select(['id', 'sn', 'dept_path', 'product_id', 'merchant_id'])
    .where('id', '=', deviceId)
    .executeTakeFirst();
  if (!device) throw fault('NOT_FOUND');
  const seen = kindsFor(ctx, kinds, undefined, ['page']);
  const paths = pathsAbove(device.dept_path);
  const since = new Date(ctx.now().getTime() - ENDED_DAYS * DAY);
  // Of another product those alone that name this very terminal, its organisation or its merchant.
  const names = sql<boolean>`case t.release_scope when '2' then t.scope -> 'sns' ? ${device.sn} when '1' then exists (
    select from jsonb_array_elements_text(t.scope -> 'deptIds') e join org_dept o on o.id = e::bigint where o.dept_path = any(${paths}::text[]))
    or coalesce(t.scope -> 'merchantIds' @> to_jsonb(${device.merchant_id}::bigint), false) else false end`;
  const { rows } = await sql<Listed>`
    select t.*, f.version as package_version from rollout_task t left join rollout_package f on f.id = t.package_id
    where t.dept_path = any(${paths}::text[]) and coalesce(t.ended_at, 'infinity'::timestamptz) > ${since} and ${chose}
      and t.kind = any(${seen.map(({ of }) => of.kind)}::text[]) and ${before === undefined ? sql`true` : sql`t.id < ${before}`}
      and (t.product_id is null or t.product_id = ${device.product_id} or ${names})
      and not exists (select from rollout_result r where r.task_id = t.id and r.device_id = ${device.id})
    order by t.id desc limit ${PASSED_SHOWN + 1}`.execute(ctx.db);
  const releases: z.input<typeof PassedOver>['releases'] = [];
  for (const row of rows.slice(0, PASSED_SHOWN)) {
    const kind = kindNamed(seen, row.kind);
    if (!kind) continue;
    releases.push({
      taskId: row.id,
      kind: row.kind,
      taskName: row.name,
      taskVersion: row.package_version === null ? '' : [row.subject, row.package_version].filter(Boolean).join(' '),
      taskState: row.state,
      content: contentOf(row.content),
      startedAt: row.started_at,
      endedAt: row.ended_at,
      why: await whyOf(ctx, kind, readTask(row), device.id),
    });
  }
  return { releases, more: rows.length > PASSED_SHOWN };
}

/** Why one release doesn't have the terminal with this serial number. */
export async function whyNot(
  ctx: Ctx,
  kinds: readonly RolloutKind[],
  { taskId, sn }: { taskId: number; sn: string },
): Promise<z.input<typeof WhyNot>> {
  const row = await ctx.db.selectFrom('rollout_task').selectAll().where('id', '=', taskId).executeTakeFirst();
  const kind = row && kindNamed(kindsFor(ctx, kinds, undefined, ['page']), row.kind);
  if (!row || !kind) throw fault('NOT_FOUND');
  const device = await ctx.db.selectFrom('device').select('id').where('sn', '=', sn).where('deleted_at', 'is', null).executeTakeFirst();
  if (!device) return { deviceId: null, isIn: false, why: null };
  const { id: deviceId } = device;
  const result = await ctx.db
    .selectFrom('rollout_result')
    .select('id')
    .where('task_id', '=', taskId)
    .where('device_id', '=', deviceId)
    .executeTakeFirst();
  if (result) return { deviceId, isIn: true, why: null };
  if (!live.includes(row.state) && row.gathered_at === null) return { deviceId, isIn: false, why: said('notBegun') };
  return { deviceId, isIn: false, why: await whyOf(ctx, kind, readTask(row), deviceId) };
}
