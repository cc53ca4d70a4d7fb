import type { TaskKind } from '@mooring/contract/engines/rollout/task-kind';
import { sql } from 'kysely';
import type { BackOf, WayBack } from '../had-before.ts';

/** The published full package of the version before. What came with nothing before it isn't taken away: a part of a terminal has some version. */
export const packageBack = ({ kind }: TaskKind): BackOf => ({
  restGoesAlong: true,
  async to(ctx, { product_id: productId, subject }, had) {
    const versions = had.flatMap(({ version }) => (version === null ? [] : [version]));
    const { rows } = await sql<{ id: number; version: string }>`
      select id, version from rollout_package where product_id = ${productId} and content = ${kind} and name = ${subject} and version = any(${versions}::text[])
        and kind = 'TA' and publish_state in ('1', '3') and deleted_at is null`.execute(ctx.db);
    const found = new Map(rows.map(({ id, version }) => [version, id]));
    return new Map(
      versions.map((version): [string, WayBack] => {
        const packageId = found.get(version);
        return [version, packageId === undefined ? { cant: 'noPackage' } : { packageId }];
      }),
    );
  },
});
