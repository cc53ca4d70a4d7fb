import { sql } from 'kysely';
import { z } from 'zod';
import type { AppContext } from '../../platform/app-context.ts';
import { move } from '../../platform/db/move.ts';
import { job } from '../../platform/module.ts';
import { invalidateRegistrations, registrationRows } from './registration-rows.ts';

const BATCH = 1000;

interface Looked {
  readonly id: number;
  readonly gone: boolean;
  /** It has no valid certificate any more, and the other side holds one. */
  readonly bare: boolean;
  readonly renewed: boolean;
  readonly dept_path: string;
}

/**
 * What became of terminals that are registered: who was deleted, disabled, or moved out of the platform's organisation is taken back there, and a new
 * certificate takes the place of the old one; who has no valid one left is taken back too, and another policy is attached. Twice is harmless: a row is looked at once for each change.
 */
export async function followDevices(app: Pick<AppContext, 'unscoped' | 'now' | 'invalidate'>): Promise<void> {
  const now = app.now();
  for (let n = BATCH; n === BATCH; ) {
    n = await app.unscoped(async (db) => {
      const { rows } = await sql<Looked>`
        select r.id, r.dept_path, (d.id is null or d.deleted_at is not null or d.status = '4' or not starts_with(d.dept_path, r.dept_path)) as gone,
          (c.fingerprint is null and r.certificates <> '[]') as bare,
          r.state in ('registered', 'failed') and c.fingerprint is not null and (c.fingerprint is distinct from r.fingerprint or exists (
            select from jsonb_array_elements(r.certificates) h where not exists (
              select from device_credential k where k.device_id = r.device_id and k.revoked_at is null and k.fingerprint = h ->> 'fingerprint'))) as renewed
        from customer_registration r left join device d on d.id = r.device_id left join lateral (
          select fingerprint from device_credential where device_id = r.device_id and revoked_at is null and expires_at > ${now} order by issued_at desc, id desc limit 1) c on true
        where r.look_at is not null order by r.id limit ${BATCH} for update of r skip locked`.execute(db);
      if (rows.length === 0) return 0;
      const gone = rows.filter((row) => row.gone).map((row) => row.id);
      const bare = rows.filter((row) => !row.gone && row.bare).map((row) => row.id);
      const renewed = rows.filter((row) => !row.gone && !row.bare && row.renewed).map((row) => row.id);
      if (gone.length > 0) await move(db, registrationRows, 'revoke', gone, { set: { next_at: now, tries: 0, reason: 'IOT_DEVICE_GONE' } });
      if (bare.length > 0)
        await move(db, registrationRows, 'revoke', bare, { set: { next_at: now, tries: 0, reason: 'IOT_NO_CERTIFICATE' } });
      if (renewed.length > 0) await move(db, registrationRows, 'renew', renewed, { set: { next_at: now, tries: 0, reason: null } });
      await sql`update customer_registration set look_at = null where id = any(${rows.map((row) => row.id)}::bigint[])`.execute(db);
      for (const path of new Set(rows.map((row) => row.dept_path))) await invalidateRegistrations(app, db, path);
      return rows.length;
    });
  }
  await followPolicies(app);
}

/** Who is registered with another policy than its platform has now is registered anew with that one. */
async function followPolicies(app: Pick<AppContext, 'unscoped' | 'now' | 'invalidate'>): Promise<void> {
  for (let n = BATCH; n === BATCH; ) {
    n = await app.unscoped(async (db) => {
      const { rows } = await sql<{ id: number; dept_path: string }>`
        select r.id, r.dept_path from customer_iot c cross join lateral (
          (select id, dept_path from customer_registration where customer_id = c.id and state = 'registered' and policy < c.policy limit ${BATCH}) union all
          (select id, dept_path from customer_registration where customer_id = c.id and state = 'registered' and policy > c.policy limit ${BATCH})) r
        where c.kind = 'aws' limit ${BATCH}`.execute(db);
      const ids = rows.map((row) => row.id);
      if (ids.length > 0) await move(db, registrationRows, 'renew', ids, { set: { next_at: app.now(), tries: 0, reason: null } });
      for (const path of new Set(rows.map((row) => row.dept_path))) await invalidateRegistrations(app, db, path);
      return rows.length;
    });
  }
}

export const followJob = job({
  name: 'customer:followDevices',
  payload: z.object({}),
  every: '* * * * *',
  run: (ctx) => followDevices(ctx),
});
