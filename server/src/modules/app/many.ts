import type { appVersionCalls } from '@mooring/contract/app/calls';
import type { AppVersion } from '@mooring/contract/app/schemas';
import type { Handler } from '../../platform/module.ts';
import { actOnMany } from '../../platform/resource/act-on-many.ts';
import type { Resource } from '../../platform/resource/resource.ts';
import { shortName } from './version-rows.ts';

type Calls = typeof appVersionCalls;

/** Of several at once nothing is said to one of them, and nothing given. */
const said = { comment: '', files: [] };

/** One act on each of several versions. */
export function manyVersions(versions: () => Resource<typeof AppVersion>): {
  readonly [K in 'submitMany' | 'delistMany' | 'deleteMany']: Handler<Calls[K]>;
} {
  const each = actOnMany(
    versions,
    (row) => `${row.packageName} ${shortName({ version_name: row.versionName, version_code: row.versionCode })}`,
  );
  return {
    submitMany: (ctx, input) => each(ctx, 'submit', input, said),
    delistMany: (ctx, { comment, ...input }) => each(ctx, 'delist', input, { ...said, comment }),
    deleteMany: (ctx, input) => each(ctx, 'delete', input, said),
  };
}
