import { createHash, randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { packageCalls } from '@mooring/contract/firmware/package-calls';
import { PUBLISH } from '../src/engines/rollout/places/publish-job.ts';
import type { DeptAt } from '../src/modules/org/api.ts';
import { diskStore } from '../src/platform/files/disk-store.ts';
import type { Client, TestApp } from './test-app.ts';

let made = 0;

/** A published product of the owner. */
export async function makeProduct(test: TestApp, owner: DeptAt, code = `P${++made}`): Promise<number> {
  return test.context.unscoped(async (db) => {
    const row = await db
      .insertInto('product_product')
      .values({
        code,
        name: `Product ${code}`,
        category: 'smartPos',
        publish_status: '1',
        package_kinds: ['firmware'],
        dept_id: owner.id,
        dept_path: owner.path,
      })
      .returning('id')
      .executeTakeFirstOrThrow();
    return row.id;
  });
}

/** Bytes in the store with a file row, as if uploaded by this person. */
export async function makeFile(test: TestApp, client: Client, owner: DeptAt, bytes: Buffer = randomBytes(4096)): Promise<number> {
  const stored = await diskStore(join(test.dataDir, 'blobs')).put(Readable.from([bytes]));
  return test.context.unscoped(async (db) => {
    const row = await db
      .insertInto('file_file')
      .values({
        kind: '5',
        name: 'fw.bin',
        ...stored,
        md5: createHash('md5').update(bytes).digest('hex'),
        user_id: client.userId,
        dept_path: owner.path,
      })
      .returning('id')
      .executeTakeFirstOrThrow();
    return row.id;
  });
}

/** What was asked to be published is: the worker is through with it. */
export const settlePublished = (test: TestApp): Promise<void> => test.runJob(PUBLISH);

export async function makePackage(
  test: TestApp,
  client: Client,
  owner: DeptAt,
  productId: number,
  version: string,
  bytes?: Buffer,
): Promise<number> {
  const fileId = await makeFile(test, client, owner, bytes);
  const added = await client.call(packageCalls.add, { productId, version, fileId });
  await client.call(packageCalls.publish, { id: added.id });
  await settlePublished(test);
  return added.id;
}

/** An upload of parameter files of the owner, without files. */
export async function makeParamSet(test: TestApp, owner: DeptAt, name = `Files ${++made}`): Promise<number> {
  const values = {
    name,
    files: 1,
    size: 1,
    version: '0123456789abcdef',
    file_name: 'p.zip',
    dept_id: owner.id,
    dept_path: owner.path,
    created_by: 'x',
  };
  return test.context.unscoped(
    async (db) => (await db.insertInto('paramfile_set').values(values).returning('id').executeTakeFirstOrThrow()).id,
  );
}

/** A parameter template of the owner with one text. */
export async function makeParamTemplate(test: TestApp, owner: DeptAt, name = `Template ${++made}`): Promise<number> {
  const values = {
    name,
    fields: JSON.stringify([{ key: 'host', type: 'text' }]),
    dept_id: owner.id,
    dept_path: owner.path,
    created_by: 'x',
  };
  return test.context.unscoped(
    async (db) => (await db.insertInto('paramfile_template').values(values).returning('id').executeTakeFirstOrThrow()).id,
  );
}

/** Values of a template that are given for its organisation. */
export const makeParamLevel = (test: TestApp, owner: DeptAt, templateId: number): Promise<number> =>
  test.context.unscoped(async (db) => {
    const values = { template_id: templateId, level: 'org', dept_id: owner.id, dept_path: owner.path, updated_by: 'x' };
    return (await db.insertInto('paramfile_level').values(values).returning('id').executeTakeFirstOrThrow()).id;
  });

type Shown = 'desktop_advert' | 'desktop_customization' | 'desktop_desktop';
const emptyOf = {
  desktop_advert: { place: 'idle', items: '[]' },
  desktop_customization: { status_bar: 'hidden' },
  desktop_desktop: {
    layout: JSON.stringify({ columns: 2, rows: 2, width: 240, height: 320, wallpaperId: null, pages: [{ tiles: [] }], dock: [] }),
  },
} as const;
/** Something that terminals show, of the owner: a draft, or published without files. */
export async function makeShown(test: TestApp, owner: DeptAt, table: Shown, name: string, published = false): Promise<number> {
  const state = published ? { state: 'published', version: '0123456789abcdef', archive_sha256: 'x', size: 1 } : {};
  const values = { name, dept_id: owner.id, dept_path: owner.path, ...emptyOf[table], ...state };
  return test.context.unscoped(
    async (db) =>
      (
        await db
          .insertInto(table)
          .values(values as never)
          .returning('id')
          .executeTakeFirstOrThrow()
      ).id,
  );
}

/** Devices that are in contact, one for each SN. */
export async function makeDevices(
  test: TestApp,
  owner: DeptAt,
  productId: number,
  sns: readonly string[],
  firmware = '1.0',
): Promise<number[]> {
  return test.context.unscoped(async (db) => {
    const rows = await db
      .insertInto('device')
      .values(
        sns.map((sn) => ({
          sn,
          name: sn,
          status: '3',
          product_id: productId,
          dept_id: owner.id,
          dept_path: owner.path,
          firmware,
          activated_at: test.clock.now,
        })),
      )
      .returning('id')
      .execute();
    await db
      .insertInto('device_presence')
      .values(rows.map((row) => ({ device_id: row.id, online: true, seen_at: test.clock.now })))
      .execute();
    return rows.map((row) => row.id);
  });
}

/** As if this device had enrolled; the certificate itself is none. */
export async function makeCredential(test: TestApp, deviceId: number, expiresAt = new Date(test.clock.now.getTime() + 1e9)): Promise<void> {
  const text = `${deviceId}-${++made}`;
  await test.context.unscoped((db) =>
    db
      .insertInto('device_credential')
      .values({
        device_id: deviceId,
        serial: text,
        fingerprint: text,
        key_hash: text,
        certificate: text,
        issued_at: test.clock.now,
        expires_at: expiresAt,
      })
      .execute(),
  );
}
