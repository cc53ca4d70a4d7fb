import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { differenceCalls } from '@mooring/contract/firmware/package-calls';
import { makePackage, makeProduct } from '../../../test/firmware.ts';
import type { Client, TestApp } from '../../../test/test-app.ts';
import { mayStill } from '../../modules/access/api.ts';
import { DROP_BLOB, lockBlob } from '../../modules/file/api.ts';
import { diskStore } from '../../platform/files/disk-store.ts';
import { carryOutNext } from './differences/carry-out.ts';
import type { Bytes } from './differences/tools.ts';
import { rolloutsOf } from './release.factory.ts';

const never = new AbortController().signal;

/** Differences in a test: two versions, and the maker's turns by hand. */
export function makingDifferences(app: () => TestApp, admin: () => Client) {
  const bytes = (): Bytes => ({
    store: diskStore(join(app().dataDir, 'blobs')),
    lock: lockBlob,
    drop: (db, sha256) => app().context.enqueue(db, DROP_BLOB, { sha256 }),
    mayStill,
  });
  const next = (signal = never, of = bytes()) =>
    carryOutNext(
      app().context,
      of,
      rolloutsOf(app()).kinds.map(({ of: kind }) => kind),
      signal,
    );
  const listed = async (packageId: number) => (await admin().call(differenceCalls.page, { criteria: { packageId } })).content;
  return {
    bytes,
    next,
    listed,
    all: async () => {
      while (await next());
    },
    /** Two published versions of a product, of which the newer one changes a part. */
    async pair(share = 0.05) {
      const old = randomBytes(200_000);
      const full = Buffer.concat([old.subarray(0, old.length * (1 - share)), randomBytes(old.length * share)]);
      const productId = await makeProduct(app(), app().root);
      const baseId = await makePackage(app(), admin(), app().root, productId, '1.0', old);
      const packageId = await makePackage(app(), admin(), app().root, productId, '2.0', full);
      return { productId, baseId, packageId, old, full };
    },
    async added(of: { packageId: number; baseId: number }) {
      await admin().call(differenceCalls.add, { packageId: of.packageId, baseIds: [of.baseId] });
      const [row] = await listed(of.packageId);
      if (!row) throw new Error('no difference');
      return row;
    },
  };
}
