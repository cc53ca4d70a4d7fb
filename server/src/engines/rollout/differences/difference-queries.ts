import { type Difference, type DifferenceForm, WORTH_PERCENT } from '@mooring/contract/engines/rollout/difference-calls';
import { differenceMachine } from '@mooring/contract/engines/rollout/state-machines';
import { codeOf } from '@mooring/contract/kit/state-machine';
import type { z } from 'zod';
import { allowedEvents, allowing } from '../../../platform/allowed-actions.ts';
import type { Ctx, Db } from '../../../platform/context.ts';
import { statefulTable } from '../../../platform/db/move.ts';
import type { DifferenceSource } from './source.ts';

export const differenceRows = statefulTable('rollout_difference', differenceMachine);
export const enabled = codeOf(differenceMachine, 'enabled');

/** With the version that each starts from and what it makes. */
export const differencesOf = (db: Db, { content, versions }: DifferenceSource) =>
  db
    .selectFrom('rollout_difference as x')
    .innerJoin(versions.as('f'), (join) => join.onRef('f.id', '=', 'x.target_id'))
    .innerJoin(versions.as('b'), (join) => join.onRef('b.id', '=', 'x.from_id'))
    .where('x.content', '=', content)
    .selectAll('x')
    .select([
      'f.id as to_id',
      'b.id as base_of',
      'f.product_id',
      'f.product_code',
      'f.name',
      'f.version',
      'f.label',
      'f.size as full_size',
      'f.sha256 as full_sha256',
      'f.certificate',
      'b.version as base',
      'b.shown as base_shown',
      'b.size as base_size',
      'b.sha256 as base_sha256',
      'b.certificate as base_certificate',
    ]);
export type DifferenceRow = Awaited<ReturnType<ReturnType<typeof differencesOf>['execute']>>[number];
export const formOf = (row: Pick<DifferenceRow, 'form'>): DifferenceForm => (row.form === 'entries' ? 'entries' : 'image');

/** To a version that terminals may get, in one state. */
const inState = (db: Db, source: DifferenceSource, target: number, state: string): Promise<DifferenceRow[]> =>
  differencesOf(db, source).where('x.target_id', '=', target).where('f.open', '=', true).where('x.state', '=', state).execute();

/** Those that terminals may get now. */
export const enabledTo = (db: Db, source: DifferenceSource, target: number): Promise<DifferenceRow[]> =>
  inState(db, source, target, enabled);

/** What terminals say that have a version from which one could be used, if a person enabled it. */
export const idleTo = async (
  db: Db,
  source: DifferenceSource,
  target: number,
  heldAs: (row: DifferenceRow) => string = ({ base }) => base,
): Promise<ReadonlySet<string>> =>
  new Set((await inState(db, source, target, codeOf(differenceMachine, 'verified'))).filter(isWorth).map(heldAs));

export const isWorth = (row: Pick<DifferenceRow, 'size' | 'full_size'>): boolean => row.size * 100 < row.full_size * WORTH_PERCENT;
export const differenceName = (row: Pick<DifferenceRow, 'label' | 'base_shown'>): string => `${row.label} (${row.base_shown})`;

/** As it is answered. `devices` is how many terminals run its base. */
export function differenceRow(
  { actor, scope }: Pick<Ctx, 'actor' | 'scope'>,
  { can }: DifferenceSource,
  row: DifferenceRow,
  devices: number,
): z.input<typeof Difference> {
  const isMade = row.made_at !== null;
  const acts = row.dept_path.startsWith(scope.path)
    ? allowedEvents(differenceMachine, row.state, actor, { enable: can, disable: can, recheck: can, regenerate: can, giveUp: can })
    : [];
  return {
    id: row.id,
    packageId: row.to_id,
    baseId: row.base_of,
    base: row.base_shown,
    form: formOf(row),
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
      ...acts.filter((act) => (act !== 'enable' || isWorth(row)) && (act !== 'recheck' || row.sha256 !== null)),
      ...(row.state !== enabled && row.dept_path.startsWith(scope.path) && actor.permissions.has(can) ? ['delete'] : []),
    ]),
  };
}
