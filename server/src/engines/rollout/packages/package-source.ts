import { MOST_IMAGE_BYTES } from '@mooring/contract/engines/rollout/difference-calls';
import { packagePermission, type TaskKind } from '@mooring/contract/engines/rollout/task-kind';
import { Fault } from '@mooring/contract/kit/fault';
import { compareVersions } from '@mooring/contract/shared/compare-versions';
import { sql } from 'kysely';
import { MOST_OLDER } from '../differences/bases.ts';
import type { DifferenceSource, Version } from '../differences/source.ts';
import { inReach } from '../match.ts';
import type { RolloutKind } from '../task.ts';
import { publishedStates } from './package-queries.ts';

/** Packages of a kind. */
const packagesOf = ({ kind }: TaskKind) => sql<Version>`(
  select f.id, f.name, f.version, f.version as shown, concat_ws(' ', nullif(p.name, ''), nullif(f.name, ''), f.version) as label, f.product_id, p.code as product_code,
    f.size, f.sha256, null::text as certificate, f.kind = 'TA' and f.publish_state in (${sql.join(publishedStates)}) as open, f.dept_id, f.dept_path
  from rollout_package f join product_product p on p.id = f.product_id where f.content = ${kind} and f.deleted_at is null)`;

/** Differences between packages of a kind: whole images. */
export const packageSource = ({ of, current, fits }: Pick<RolloutKind, 'of' | 'current' | 'fits'>): DifferenceSource => {
  const versions = packagesOf(of);
  return {
    content: of.kind,
    group: `${of.paths.packages}/diff`,
    can: packagePermission(of, 'publish'),
    forms: ['image'],
    pair: (package_id, base_id) => ({ package_id, base_id }),
    versions,
    needs: ({ frames }) => (frames > 0 ? 'diffFrames' : undefined),
    refuse({ open }) {
      if (!open) throw new Fault('PACKAGE_NOT_PUBLISHED');
    },
    async bases({ db }, target) {
      const found = await db
        .selectFrom(versions.as('f'))
        .selectAll('f')
        .where('f.product_id', '=', target.product_id)
        .where('f.name', '=', target.name)
        .where('f.open', '=', true)
        .where('f.id', '<>', target.id)
        .orderBy('f.id', 'desc')
        .limit(MOST_OLDER)
        .execute();
      return found
        .filter((row) => compareVersions(row.version, target.version) < 0 && row.size <= MOST_IMAGE_BYTES)
        .sort((a, b) => compareVersions(b.version, a.version));
    },
    async devicesOn(ctx, { name, version, product_id: productId }, older) {
      if (older.length === 0) return new Map();
      const subject = { name, version, productId };
      const runs = current(subject);
      const rows = await sql<{ version: string; n: number }>`
        select ${runs} as version, count(*)::int as n from device d
        where ${inReach({ subject, deptPath: ctx.scope.path })} and ${fits?.(subject) ?? sql`true`} and ${runs} = any(${older}::text[]) group by 1`.execute(
        ctx.db,
      );
      return new Map(rows.rows.map((row) => [row.version, row.n]));
    },
  };
};
