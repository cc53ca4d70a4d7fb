import { sql } from 'kysely';
import type { Db } from '../../platform/context.ts';
import type { UpMessage } from '../../platform/gateway/message.ts';

type Apps = NonNullable<UpMessage<'hello'>['data']['apps']>;

/**
 * What terminals say is installed on them: rows that changed are written, and those of apps that they don't name any more go. One that says nothing
 * of apps has none.
 */
export async function keepApps(db: Db, devices: readonly { readonly deviceId: number; readonly apps: Apps }[]): Promise<void> {
  if (devices.length === 0) return;
  const said = JSON.stringify(devices.flatMap(({ deviceId, apps }) => apps.map((app) => ({ device: deviceId, ...app }))));
  const ids = devices.map((one) => one.deviceId);
  await sql`
    with said as (
      select distinct on (x.device, x.id) x.* from jsonb_to_recordset(${said}::jsonb) as x(device bigint, id text, name text, version text, code bigint, certificate text, system boolean)
      order by x.device, x.id, x.code desc nulls last
    ), gone as (
      delete from device_app a where a.device_id = any(${ids}::bigint[]) and not exists (select from said s where s.device = a.device_id and s.id = a.package_name)
    )
    insert into device_app as a (device_id, package_name, name, version_name, version_code, certificate, system, dept_path)
    select s.device, s.id, s.name, s.version, s.code, s.certificate, coalesce(s.system, false), d.dept_path from said s join device d on d.id = s.device where d.deleted_at is null order by 1, 2
    on conflict (device_id, package_name) do update
      set name = excluded.name, version_name = excluded.version_name, version_code = excluded.version_code, certificate = excluded.certificate, system = excluded.system, since = now()
      where (a.name, a.version_name, a.version_code, a.certificate, a.system)
        is distinct from (excluded.name, excluded.version_name, excluded.version_code, excluded.certificate, excluded.system)`.execute(db);
}
