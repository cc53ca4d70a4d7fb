import type { deviceCalls } from '@mooring/contract/device/calls';
import { MOST_SNS } from '@mooring/contract/engines/rollout/schemas';
import { Fault, fault } from '@mooring/contract/kit/fault';
import { sql } from 'kysely';
import { nextCandidates } from '../../platform/db/candidates.ts';
import type { Handler } from '../../platform/module.ts';
import { whichOf } from './run-bulk.ts';

/** The chosen terminals by their SN, as many as a release to given ones takes. */
export const deviceSerials: Handler<typeof deviceCalls.serials> = async (ctx, { of }) => {
  const ids = await nextCandidates(ctx, 'device', await whichOf(ctx, of), 0, MOST_SNS + 1);
  if (ids.length > MOST_SNS) throw new Fault('SNS_MANY', { params: { max: MOST_SNS } });
  const { rows } = await ctx.inTx((db) =>
    sql<{ sn: string }>`select sn from device where id = any(${ids}::bigint[]) and deleted_at is null order by sn`.execute(db),
  );
  if (rows.length === 0) throw fault('NOT_FOUND');
  return { sns: rows.map(({ sn }) => sn) };
};
