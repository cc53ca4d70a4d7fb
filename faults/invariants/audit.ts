import { checkChain } from '@mooring/server/platform/audit/check-chain';
import { sealKeys } from '@mooring/server/platform/audit/seal-keys';
import { loadMasterKey } from '@mooring/server/platform/config/master-key';
import { inTx } from '@mooring/server/platform/db/lazy-tx';
import { openPools } from '@mooring/server/platform/db/pools';
import { MASTER_KEY } from '../world/master-key.ts';
import { type Invariant, some } from './invariant.ts';

/** The chain of the audit holds, reaches the newest row, and has a row for each audited call that was answered with success. */
export const audit: Invariant = {
  name: 'audit',
  async check(world) {
    const pools = openPools(world.databaseUrl(), { max: 2 });
    try {
      const keys = sealKeys(loadMasterKey(MASTER_KEY, ''));
      const { bad } = await inTx(pools.system, undefined, (db) => checkChain(db, { keys }));
      const open = await world.query<{ id: number }>('select id from audit_entry where seal_no is null');
      const missing = await world.query<{ id: string }>(
        'select asked as id from unnest($1::text[]) asked where not exists (select from audit_entry a where a.request_id = asked)',
        [world.console.changed],
      );
      return [
        ...bad.map(({ kind, from, to }) => `the chain is bad from ${from} to ${to}: ${kind}`),
        ...(open.length === 0 ? [] : [`${open.length} rows aren't sealed`]),
        ...(missing.length === 0 ? [] : [`${missing.length} calls left no row: ${some(missing.map((row) => row.id))}`]),
      ];
    } finally {
      await pools.end();
    }
  },
};
