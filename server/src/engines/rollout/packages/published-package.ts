import { packagePermission, type TaskKind } from '@mooring/contract/engines/rollout/task-kind';
import { ofPackages } from '../places/place-rows.ts';
import type { Published } from '../places/publish-job.ts';
import { nameOf, packageById, packageRows } from './package-queries.ts';

/** Packages of all kinds of releases, as they are published. */
export const publishedPackages = (kinds: readonly TaskKind[]): Published => ({
  ...ofPackages,
  rows: packageRows,
  async about(db, id) {
    const found = await db.selectFrom('rollout_package').select('content').where('id', '=', id).executeTakeFirst();
    const kind = kinds.find((one) => one.kind === found?.content);
    const row = kind && (await packageById(db, kind, id));
    if (!kind?.paths.packages || !row) return undefined;
    return {
      name: nameOf(row),
      link: `${kind.screens.packages}/${id}?tab=places`,
      can: packagePermission(kind, 'publish'),
      groups: [kind.paths.packages],
    };
  },
});
