import type { RealName, realNameCalls } from '@mooring/contract/account/real-name-calls';
import { realNameMachine } from '@mooring/contract/account/state-machines';
import type { ParsedInputOf } from '@mooring/contract/kit/call';
import { Fault } from '@mooring/contract/kit/fault';
import { sql } from 'kysely';
import type { z } from 'zod';
import type { AppContext } from '../../../platform/app-context.ts';
import type { Ctx, Db } from '../../../platform/context.ts';
import { move, statefulTable } from '../../../platform/db/move.ts';
import { mayDo } from '../../access/api.ts';
import { notify } from '../../message/api.ts';
import { isOrgManager, kindsFrom, ownRealName } from './own.ts';
import { usePictures } from './pictures.ts';
import { hintOf, realNameOf } from './real-name.queries.ts';

export const realNames = statefulTable('account_real_name', realNameMachine);
export const NUMBER = 'real-name-number';

/** Days are compared as text; a document is good for the whole of its last day, wherever that ends last. */
export const hasRunOut = (validUntil: string, now: Date): boolean => validUntil < now.toISOString().slice(0, 10);

interface HandedIn {
  readonly kind: 'person' | 'org';
  readonly name: string;
  readonly documentKind: string;
  readonly number: string;
  readonly legalPerson: string | null;
  readonly validUntil: string;
  readonly pictures: Readonly<Record<string, number>>;
}

async function ownRow(db: Db, ctx: Ctx) {
  const { userId, deptId, deptPath } = ctx.actor;
  await sql`insert into account_real_name (user_id, dept_id, dept_path) values (${userId}, ${deptId}, ${deptPath}) on conflict (user_id) do nothing`.execute(
    db,
  );
  // Locked, so that of two at once the second sees the first.
  await sql`select 1 from account_real_name where user_id = ${userId} for update`.execute(db);
  const row = await realNameOf(db, userId);
  if (!row) throw new Error('the row was just written');
  return row;
}

const eventFrom = (state: string, kind: 'person' | 'org') =>
  state === '7' ? 'renew' : state === '1' ? 'toOrg' : kind === 'org' ? 'submitOrg' : 'submitPerson';

async function notifyAuditors(db: Db, kind: 'person' | 'org', who: string): Promise<void> {
  const can = kind === 'org' ? 'sys:audit:company:page' : 'sys:audit:person:page';
  const { rows } = await sql<{ id: number }>`
    select u.id from account_user u where u.state = '0' and ${mayDo(can)} order by u.id limit 100`.execute(db);
  await notify(db, {
    name: 'realNameWaits',
    params: { who },
    to: { users: rows.map((row) => row.id) },
    deptPath: '1.',
    link: '/authAudit',
  });
}

async function handIn(app: AppContext, ctx: Ctx, of: HandedIn): Promise<z.input<typeof RealName>> {
  const { userId, userName, deptId, deptPath } = ctx.actor;
  if (hasRunOut(of.validUntil, ctx.now())) throw new Fault('REAL_NAME_DAY', { fields: { validUntil: 'fault.REAL_NAME_DAY' } });
  // Past the range policy: these tables are closed to the bound role.
  await ctx.unscoped(async (db) => {
    const manager = await isOrgManager(db, userId);
    if (of.kind === 'org' && !manager) throw new Fault('REAL_NAME_MANAGER');
    const row = await ownRow(db, ctx);
    if (row.state === '3' || row.state === '6') throw new Fault('REAL_NAME_WAITS');
    if (!kindsFrom(row.state, manager).includes(of.kind)) throw new Fault('REAL_NAME_CHECKED');
    const set = { before: row.state, asked_at: ctx.now(), dept_id: deptId, dept_path: deptPath };
    await move(db, realNames, eventFrom(row.state, of.kind), [row.id], { actorId: userId, set, detail: { kind: of.kind } });
    const { id } = await db
      .insertInto('account_real_name_request')
      .values({
        user_id: userId,
        kind: of.kind,
        name: of.name,
        document_kind: of.documentKind,
        number_sealed: app.masterKey.seal(NUMBER, Buffer.from(of.number)),
        number_hint: hintOf(of.number),
        legal_person: of.legalPerson,
        valid_until: sql`${of.validUntil}::date`,
        created_at: ctx.now(),
      })
      .returning('id')
      .executeTakeFirstOrThrow();
    await usePictures(db, userId, id, of.pictures);
    await notifyAuditors(db, of.kind, userName);
    await ctx.invalidate(db, '/sys/user/authAudit', '1.');
  });
  ctx.audit({ target: userName, after: { kind: of.kind, name: of.name, validUntil: of.validUntil } });
  return ownRealName(ctx);
}

export const handInPerson = (app: AppContext, ctx: Ctx, input: ParsedInputOf<typeof realNameCalls.person>) =>
  handIn(app, ctx, {
    kind: 'person',
    name: input.name,
    documentKind: input.documentKind,
    number: input.number.trim(),
    legalPerson: null,
    validUntil: input.validUntil,
    pictures: { front: input.front, back: input.back },
  });

export const handInOrg = (app: AppContext, ctx: Ctx, input: ParsedInputOf<typeof realNameCalls.org>) =>
  handIn(app, ctx, {
    kind: 'org',
    name: input.name,
    documentKind: 'licence',
    number: input.number.trim(),
    legalPerson: input.legalPerson,
    validUntil: input.validUntil,
    pictures: { licence: input.licence },
  });
