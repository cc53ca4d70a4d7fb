import type { DifferenceCalls } from '@mooring/contract/engines/rollout/difference-calls';
import { fault } from '@mooring/contract/kit/fault';
import { valuesOf } from '../../../platform/db/criteria.ts';
import { page } from '../../../platform/db/page.ts';
import { handlers, type Route } from '../../../platform/module.ts';
import { addAllDifferences, addDifferences, listBases } from './add-differences.ts';
import { versionOf } from './bases.ts';
import { type DifferenceRow, differenceRow, differencesOf } from './difference-queries.ts';
import { deleteDifference, moveDifference } from './move-difference.ts';
import type { DifferenceSource } from './source.ts';
import type { Bytes } from './tools.ts';

const sorts = { createdAt: 'x.created_at', size: 'x.size' } as const;

/** Differences to the versions of a kind: asked for, made in the background, enabled. */
export const differenceRoutes = (source: DifferenceSource, calls: DifferenceCalls, bytes: Bytes): Route[] =>
  handlers(calls, {
    page: async (ctx, input) => {
      const [packageId, ...more] = valuesOf(input.criteria.packageId) ?? [];
      if (packageId === undefined || more.length > 0) throw fault('BAD_INPUT');
      const target = await versionOf(ctx.db, source, packageId);
      if (!target) throw fault('NOT_FOUND');
      const found = await page(ctx.db, differencesOf(ctx.db, source).where('x.target_id', '=', packageId), {
        page: input.page,
        sorts,
        id: 'x.id',
        map: (row: DifferenceRow) => row,
      });
      const on = await source.devicesOn(
        ctx,
        target,
        found.content.map((row) => row.base),
      );
      return { ...found, content: found.content.map((row) => differenceRow(ctx, source, row, on.get(row.base) ?? 0)) };
    },
    bases: (ctx, input) => listBases(ctx, source, input.packageId),
    add: (ctx, input) => addDifferences(ctx, source, input),
    addAll: (ctx, input) => addAllDifferences(ctx, source, input),
    enable: (ctx, input) => moveDifference(ctx, source, bytes, input.id, 'enable'),
    disable: (ctx, input) => moveDifference(ctx, source, bytes, input.id, 'disable'),
    recheck: (ctx, input) => moveDifference(ctx, source, bytes, input.id, 'recheck'),
    regenerate: (ctx, input) => moveDifference(ctx, source, bytes, input.id, 'regenerate'),
    giveUp: (ctx, input) => moveDifference(ctx, source, bytes, input.id, 'giveUp'),
    delete: (ctx, input) => deleteDifference(ctx, source, bytes, input.id),
  });
