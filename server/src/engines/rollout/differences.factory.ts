import { randomBytes } from 'node:crypto';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { differenceCalls } from '@mooring/contract/firmware/package-calls';
import { makePackage, makeProduct } from '../../../test/firmware.ts';
import type { Client, TestApp } from '../../../test/test-app.ts';
import { bytesOf } from '../../modules/release/module.ts';
import { diskStore } from '../../platform/files/disk-store.ts';
import { carryOutNext } from './differences/carry-out.ts';
import { rolloutsOf } from './release.factory.ts';

/** Differences of a test, asked for by its administrator and made by hand. */
export function differencesIn(of: () => { readonly app: TestApp; readonly admin: Client }) {
  const app = () => of().app;
  const admin = () => of().admin;
  const never = new AbortController().signal;
  const bytes = () => bytesOf(app().context, diskStore(join(app().dataDir, 'blobs')));
  const next = (signal = never, by = bytes()) =>
    carryOutNext(
      app().context,
      by,
      rolloutsOf(app()).kinds.flatMap(({ differences }) => differences ?? []),
      signal,
    );
  const all = async () => {
    while (await next());
  };
  const blobs = async () =>
    (await readdir(join(app().dataDir, 'blobs'), { recursive: true, withFileTypes: true })).filter((one) => one.isFile()).length;
  const listed = async (packageId: number) => (await admin().call(differenceCalls.page, { criteria: { packageId } })).content;
  const shaOf = async (id: number) =>
    (await app().context.unscoped((db) => db.selectFrom('rollout_difference').select('sha256').where('id', '=', id).executeTakeFirst()))
      ?.sha256;

  /** Two published versions of a product, of which the newer one changes a part. */
  async function pair(share = 0.05) {
    const old = randomBytes(200_000);
    const full = Buffer.concat([old.subarray(0, old.length * (1 - share)), randomBytes(old.length * share)]);
    const productId = await makeProduct(app(), app().root);
    const baseId = await makePackage(app(), admin(), app().root, productId, '1.0', old);
    const packageId = await makePackage(app(), admin(), app().root, productId, '2.0', full);
    return { productId, baseId, packageId, old, full };
  }
  const added = async (of: { packageId: number; baseId: number }) => {
    await admin().call(differenceCalls.add, { packageId: of.packageId, baseIds: [of.baseId] });
    const [row] = await listed(of.packageId);
    if (!row) throw new Error('no difference');
    return row;
  };
  return { bytes, next, all, listed, shaOf, pair, added, blobs };
}
