import { sql } from 'kysely';
import type { AppContext } from '../app-context.ts';

/** Certificates that count no longer: revoked ones, and those of terminals that are disabled, deleted or forgotten. */
const rows = (now: Date) => sql`
  select c.serial, d.sn, c.revoked_at as at from device_credential c join device d on d.id = c.device_id
  where c.revoked_at is not null and c.expires_at > ${now}
  union all
  select c.serial, d.sn, ${now}::timestamptz from device_shut s join device d on d.id = s.device_id join device_credential c on c.device_id = d.id
  where c.revoked_at is null and c.expires_at > ${now}
  union all
  select serial, sn, gone_at from device_gone where expires_at > ${now}`;

export interface RevokedCertificate {
  readonly serial: string;
  readonly sn: string;
  readonly at: Date;
}

export async function revokedCertificates(app: AppContext): Promise<readonly RevokedCertificate[]> {
  const found = await app.unscoped((db) => sql<RevokedCertificate>`select * from (${rows(app.now())}) s order by serial`.execute(db));
  return found.rows;
}

/** Another text whenever the lists are others: who is on them, and the issuing keys, each of which has one of its own. */
export async function revokedVersion(app: AppContext): Promise<string> {
  const found = await app.unscoped((db) =>
    sql<{ mark: string }>`select concat_ws(' ', count(*), coalesce(sum(hashtext(serial)::bigint), 0),
      (select string_agg(id, ' ' order by id) from gateway_key where role = 'deviceIssuer')) as mark from (${rows(app.now())}) s`.execute(
      db,
    ),
  );
  return found.rows[0]?.mark ?? '';
}
