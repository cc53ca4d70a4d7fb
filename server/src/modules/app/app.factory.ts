import { join } from 'node:path';
import { Readable } from 'node:stream';
import { makeApk, type TestApk } from '@mooring/apk/apk.factory';
import { appVersionCalls, developerCalls } from '@mooring/contract/app/calls';
import { settlePublished } from '../../../test/firmware.ts';
import type { Client, TestApp } from '../../../test/test-app.ts';
import { diskStore } from '../../platform/files/disk-store.ts';
import type { DeptAt } from '../org/api.ts';

/** Test data: bytes that a person has uploaded as a package. */
export async function uploaded(test: TestApp, client: Client, owner: DeptAt, bytes: Buffer, kind = '4'): Promise<number> {
  const stored = await diskStore(join(test.dataDir, 'blobs')).put(Readable.from([bytes]));
  const values = { ...stored, kind, name: kind === '4' ? 'till.apk' : 'shot.png', user_id: client.userId, dept_path: owner.path };
  const made = await test.context.unscoped((db) => db.insertInto('file_file').values(values).returning('id').executeTakeFirstOrThrow());
  return made.id;
}

export const TILL = 'com.example.till';
/** A version of the test's app. */
export async function bring(test: TestApp, client: Client, owner: DeptAt, of: TestApk = {}, more: object = {}) {
  const fileId = await uploaded(test, client, owner, await makeApk({ packageName: TILL, ...of }));
  return client.call(appVersionCalls.add, { fileId, ...more });
}

/** An organisation that applied and was accepted. */
export async function becomeDeveloper(developer: Client, reviewer: Client): Promise<void> {
  const { id } = await developer.call(developerCalls.apply, { contactName: 'Ann', email: 'ann@example.com' });
  await reviewer.call(developerCalls.accept, { id });
}

interface Saying {
  readonly id: number;
}
/** What is said of a version, and for whom it is. */
export const describe = (client: Client, { id }: Saying, productId: number, more: object = {}) =>
  client.call(appVersionCalls.update, {
    id,
    listing: { en: { name: 'Till', summary: 'Takes payments', description: '**Fast**', whatsNew: '' } },
    productIds: [productId],
    ...more,
  });

/** As far as the catalogue of the platform. */
export async function list(test: TestApp, developer: Client, reviewer: Client, { id }: Saying, more: object = {}): Promise<void> {
  const { contentHash } = await developer.call(appVersionCalls.submit, { id });
  await reviewer.call(appVersionCalls.approve, { id, contentHash, marketId: 1, ...more });
  await settlePublished(test);
}
