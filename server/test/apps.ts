import { sql } from 'kysely';
import type { DeptAt } from '../src/modules/org/api.ts';
import type { Db } from '../src/platform/context.ts';
import type { TestApp } from './test-app.ts';

let made = 0;
interface Made {
  readonly app: number;
  readonly appVersion: number;
}

/** An accepted developer. */
export const makeDeveloper = (test: TestApp, { id: dept_id, path: dept_path }: DeptAt, name = 'Ann', state = 'accepted'): Promise<number> =>
  test.context.unscoped(async (db) => {
    const values = { contact_name: name, email: 'ann@example.com', state, dept_id, dept_path };
    return (await db.insertInto('app_developer').values(values).returning('id').executeTakeFirstOrThrow()).id;
  });

/** What developers build with. */
export const makeSdk = (test: TestApp, { id: dept_id, path: dept_path }: DeptAt, productId: number, name: string): Promise<number> =>
  test.context.unscoped(async (db) => {
    const bytes = { size: 1, sha256: String(++made).padStart(64, '5'), md5: '0'.repeat(32) };
    const file = await db
      .insertInto('file_file')
      .values({ ...bytes, name: `${name}.zip`, kind: '11', user_id: 1, dept_path })
      .returning('id')
      .executeTakeFirstOrThrow();
    const values = {
      name,
      version: String(made),
      product_id: productId,
      file_id: file.id,
      file_name: `${name}.zip`,
      size: 1,
      sha256: bytes.sha256,
    };
    return (
      await db
        .insertInto('app_sdk')
        .values({ ...values, dept_id, dept_path })
        .returning('id')
        .executeTakeFirstOrThrow()
    ).id;
  });

/** An app with a draft of its first version, as if a package had been read. */
export const makeAppRow = (test: TestApp, { id: dept_id, path: dept_path }: DeptAt, name: string, more: object = {}): Promise<Made> =>
  test.context.unscoped(async (db) => {
    const owner = { dept_id, dept_path };
    const bytes = { name: `${name}.apk`, size: 1, sha256: String(++made).padStart(64, '0'), md5: '0'.repeat(32) };
    const file = await db
      .insertInto('file_file')
      .values({ ...bytes, kind: '4', user_id: 1, dept_path })
      .returning('id')
      .executeTakeFirstOrThrow();
    const package_name = `com.example.a${made}`;
    const app = await db
      .insertInto('app_app')
      .values({ package_name, name, ...owner })
      .returning('id')
      .executeTakeFirstOrThrow();
    const said = { package_name, version_name: name, file_name: bytes.name, size: 1, sha256: bytes.sha256, md5: bytes.md5 };
    const version = await db
      .insertInto('app_version')
      .values({
        ...said,
        app_id: app.id,
        file_id: file.id,
        version_code: 1,
        certificate_sha256: 'c'.repeat(64),
        valid_from: 21,
        min_sdk: 21,
        target_sdk: 30,
        listing: JSON.stringify({ en: { name, summary: '', description: '', whatsNew: '' } }),
        ...owner,
        ...more,
      })
      .returning('id')
      .executeTakeFirstOrThrow();
    return { app: app.id, appVersion: version.id };
  });

/** A difference to a version of an app, from an older one of it. */
export async function makeAppDifference(db: Db, version: number, by: string): Promise<number> {
  const made = await sql<{ id: number }>`
    with older as (
      insert into app_version (app_id, package_name, version_code, version_name, file_id, file_name, size, sha256, md5, certificate_sha256, valid_from, min_sdk, target_sdk,
        listing, dept_id, dept_path)
      select app_id, package_name, 0, version_name, file_id, file_name, size, sha256, md5, certificate_sha256, valid_from, min_sdk, target_sdk, listing, dept_id, dept_path
      from app_version where id = ${version} returning id)
    insert into rollout_difference (content, app_version_id, app_base_id, dept_id, dept_path, created_by, created_by_name)
    select 'softApp', v.id, older.id, v.dept_id, v.dept_path, 1, ${by} from app_version v, older where v.id = ${version} returning id`.execute(
    db,
  );
  return made.rows[0]?.id ?? 0;
}

/** A subscription to an app of the platform, or of another organisation, as if it had been asked for. */
export const makeSubscription = async (test: TestApp, { id: dept_id, path: dept_path }: DeptAt, name: string): Promise<number> => {
  const { app: app_id } = await makeAppRow(test, test.root, `Listed ${made}`, {
    review_state: '2',
    publish_state: '1',
    market_id: test.root.id,
  });
  return test.context.unscoped(async (db) => {
    const key = `ak_${String(++made).padStart(24, '0')}`;
    const said = { app_name: name, package_name: 'com.example.subscribed', owner_name: name, owner_path: test.root.path, app_key: key };
    const row = await db
      .insertInto('app_subscription')
      .values({ ...said, app_id, state: 'active', dept_id, dept_path, dept_name: name })
      .returning('id')
      .executeTakeFirstOrThrow();
    return row.id;
  });
};
