import { type Difference, WORTH_PERCENT } from '@mooring/contract/engines/rollout/difference-calls';
import { differenceMachine } from '@mooring/contract/engines/rollout/state-machines';
import { packagePermission, type TaskKind } from '@mooring/contract/engines/rollout/task-kind';
import { codeOf } from '@mooring/contract/kit/state-machine';
import type { z } from 'zod';
import { allowedEvents, allowing } from '../../../platform/allowed-actions.ts';
import type { Ctx, Db } from '../../../platform/context.ts';
import { statefulTable } from '../../../platform/db/move.ts';
import { publishedStates } from '../packages/package-queries.ts';

export const differenceRows = statefulTable('rollout_difference', differenceMachine);
export const enabled = codeOf(differenceMachine, 'enabled');
export const groupOf = (kind: TaskKind): string => `${kind.paths.packages}/diff`;

/** With the version that each starts from and what it makes. */
export const differencesOf = (db: Db, kind: TaskKind) =>
  db
    .selectFrom('rollout_difference as x')
    .innerJoin('rollout_package as f', 'f.id', 'x.package_id')
    .innerJoin('rollout_package as b', 'b.id', 'x.base_id')
    .innerJoin('product_product as p', 'p.id', 'f.product_id')
    .where('x.content', '=', kind.kind)
    .selectAll('x')
    .select([
      'f.product_id',
      'f.name',
      'f.version',
      'f.size as full_size',
      'f.sha256 as full_sha256',
      'b.version as base',
      'p.code as product_code',
      'p.name as product_name',
    ]);
export type DifferenceRow = Awaited<ReturnType<ReturnType<typeof differencesOf>['execute']>>[number];

type Version = Pick<DifferenceRow, 'product_id' | 'name' | 'version'>;

/** To a published version, in one state. */
const inState = (db: Db, kind: TaskKind, of: Version, state: string): Promise<DifferenceRow[]> =>
  differencesOf(db, kind)
    .where('f.product_id', '=', of.product_id)
    .where('f.name', '=', of.name)
    .where('f.version', '=', of.version)
    .where('f.kind', '=', 'TA')
    .where('f.publish_state', 'in', publishedStates)
    .where('f.deleted_at', 'is', null)
    .where('x.state', '=', state)
    .execute();

/** Those that terminals may get now. */
export const enabledTo = (db: Db, kind: TaskKind, of: Version): Promise<DifferenceRow[]> => inState(db, kind, of, enabled);

/** Versions from which one could be used, if a person enabled it. */
export const idleTo = async (db: Db, kind: TaskKind, of: Version): Promise<ReadonlySet<string>> =>
  new Set((await inState(db, kind, of, codeOf(differenceMachine, 'verified'))).filter(isWorth).map((row) => row.base));

export const isWorth = (row: Pick<DifferenceRow, 'size' | 'full_size'>): boolean => row.size * 100 < row.full_size * WORTH_PERCENT;
export const differenceName = (row: Pick<DifferenceRow, 'product_name' | 'name' | 'version' | 'base'>): string =>
  `${[row.product_name, row.name, row.version].filter(Boolean).join(' ')} (${row.base})`;

/** As it is answered. `devices` is how many terminals run its base. */
export function differenceRow(
  { actor, scope }: Pick<Ctx, 'actor' | 'scope'>,
  kind: TaskKind,
  row: DifferenceRow,
  devices: number,
): z.input<typeof Difference> {
  const can = packagePermission(kind, 'publish');
  const isMade = row.made_at !== null;
  const acts = row.dept_path.startsWith(scope.path)
    ? allowedEvents(differenceMachine, row.state, actor, { enable: can, disable: can, regenerate: can, giveUp: can })
    : [];
  return {
    id: row.id,
    packageId: row.package_id,
    baseId: row.base_id,
    base: row.base,
    state: row.state as z.input<typeof Difference>['state'],
    verification: row.verification as z.input<typeof Difference>['verification'],
    reason: row.reason as z.input<typeof Difference>['reason'],
    percent: row.percent,
    size: isMade ? row.size : null,
    fullSize: row.full_size,
    saved: isMade ? row.full_size - row.size : null,
    savedPercent: isMade ? Math.round((1 - row.size / row.full_size) * 1000) / 10 : null,
    worth: isMade ? isWorth(row) : null,
    framed: row.frames > 0,
    seconds: row.seconds,
    devices,
    enableAtOnce: row.enable_at_once,
    createdBy: row.created_by_name,
    createdAt: row.created_at,
    madeAt: row.made_at,
    ...allowing([
      ...acts.filter((act) => act !== 'enable' || isWorth(row)),
      ...(row.state !== enabled && row.dept_path.startsWith(scope.path) && actor.permissions.has(can) ? ['delete'] : []),
    ]),
  };
}
