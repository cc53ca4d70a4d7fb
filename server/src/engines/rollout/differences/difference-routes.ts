import type { DifferenceCalls } from '@mooring/contract/engines/rollout/difference-calls';
import { fault } from '@mooring/contract/kit/fault';
import { valuesOf } from '../../../platform/db/criteria.ts';
import { page } from '../../../platform/db/page.ts';
import { handlers, type Route } from '../../../platform/module.ts';
import { packageById } from '../packages/package-queries.ts';
import type { RolloutKind } from '../task.ts';
import { addAllDifferences, addDifferences, listBases } from './add-differences.ts';
import { devicesOn } from './bases.ts';
import { type DifferenceRow, differenceRow, differencesOf } from './difference-queries.ts';
import { deleteDifference, moveDifference } from './move-difference.ts';
import type { Bytes } from './tools.ts';

const sorts = { createdAt: 'x.created_at', size: 'x.size' } as const;

/** Differences to the versions of a kind: asked for, made in the background, enabled. */
export const differenceRoutes = (kind: RolloutKind, calls: DifferenceCalls, bytes: Bytes): Route[] =>
  handlers(calls, {
    page: async (ctx, input) => {
      const [packageId, ...more] = valuesOf(input.criteria.packageId) ?? [];
      if (packageId === undefined || more.length > 0) throw fault('BAD_INPUT');
      const target = await packageById(ctx.db, kind.of, packageId);
      if (!target) throw fault('NOT_FOUND');
      const found = await page(ctx.db, differencesOf(ctx.db, kind.of).where('x.package_id', '=', packageId), {
        page: input.page,
        sorts,
        id: 'x.id',
        map: (row: DifferenceRow) => row,
      });
      const on = await devicesOn(
        ctx,
        kind,
        target,
        found.content.map((row) => row.base),
      );
      return { ...found, content: found.content.map((row) => differenceRow(ctx, kind.of, row, on.get(row.base) ?? 0)) };
    },
    bases: (ctx, input) => listBases(ctx, kind, input.packageId),
    add: (ctx, input) => addDifferences(ctx, kind, input),
    addAll: (ctx, input) => addAllDifferences(ctx, kind, input),
    enable: (ctx, input) => moveDifference(ctx, kind, bytes, input.id, 'enable'),
    disable: (ctx, input) => moveDifference(ctx, kind, bytes, input.id, 'disable'),
    regenerate: (ctx, input) => moveDifference(ctx, kind, bytes, input.id, 'regenerate'),
    giveUp: (ctx, input) => moveDifference(ctx, kind, bytes, input.id, 'giveUp'),
    delete: (ctx, input) => deleteDifference(ctx, kind, bytes, input.id),
  });
