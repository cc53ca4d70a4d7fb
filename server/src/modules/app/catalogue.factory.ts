import { sql } from 'kysely';
import { makeFile } from '../../../test/firmware.ts';
import type { Client, TestApp } from '../../../test/test-app.ts';
import type { DeptAt } from '../org/api.ts';

export const CERTIFICATE = 'ab'.repeat(32);
interface ListedOf {
  readonly at: DeptAt;
  readonly packageName: string;
  readonly code: number;
  readonly scope?: string;
  readonly products: readonly number[];
}

/** Test data: a version in the catalogue. */
export async function listVersion(
  app: TestApp,
  client: Client,
  { at, packageName, code, scope = '0', products }: ListedOf,
): Promise<number> {
  const fileId = await makeFile(app, client, at);
  return app.context.unscoped(async (db) => {
    const made = await sql<{ id: number }>`
      with an_app as (
        insert into app_app (package_name, name, dept_id, dept_path) values (${packageName}, ${`App ${packageName}`}, ${at.id}, ${at.path})
        on conflict (dept_id, package_name) where deleted_at is null and not twin do update set updated_at = now() returning id
      )
      insert into app_version (app_id, package_name, version_code, version_name, file_id, file_name, size, sha256, md5, certificate_sha256, valid_from, min_sdk, target_sdk,
        review_state, publish_state, scope, dept_id, dept_path)
      select a.id, ${packageName}, ${code}, ${`${code}.0 [BETA]`}, f.id, f.name, f.size, f.sha256, f.md5, ${CERTIFICATE}, 24, 24, 30, '2', '1', ${scope}, ${at.id}, ${at.path}
      from an_app a, file_file f where f.id = ${fileId} returning id`.execute(db);
    const id = made.rows[0]?.id ?? 0;
    for (const product of products)
      await sql`insert into app_version_product (version_id, product_id, dept_path) values (${id}, ${product}, ${at.path})`.execute(db);
    return id;
  });
}

export interface Installed {
  readonly id: string;
  readonly code: number;
  readonly certificate?: string;
}
/** What a terminal said of itself when it connected; that is all that it has, where it doesn’t say otherwise. */
export const saysApps = (
  app: TestApp,
  sn: string,
  apps: readonly Installed[],
  capabilities: readonly string[] = ['softApp'],
  inAll: number | null = apps.length,
) =>
  app.context.unscoped((db) =>
    sql`with gone as (delete from device_app a using device d where d.id = a.device_id and d.sn = ${sn}), said as (
        insert into device_app (device_id, package_name, name, version_name, version_code, certificate, dept_path)
        select d.id, x.id, x.id, x.code::text, x.code, coalesce(x.certificate, ${CERTIFICATE}), d.dept_path from device d, jsonb_to_recordset(${JSON.stringify(apps)}::jsonb) as x(id text, code bigint, certificate text) where d.sn = ${sn}
        on conflict (device_id, package_name) do update set version_name = excluded.version_name, version_code = excluded.version_code, certificate = excluded.certificate
      ) update device set capabilities = ${capabilities}::text[], apps = ${JSON.stringify(apps)}::jsonb, apps_in_all = ${inAll} where sn = ${sn}`.execute(
      db,
    ),
  );
