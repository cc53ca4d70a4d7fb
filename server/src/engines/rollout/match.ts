import { deviceMachine } from '@mooring/contract/device/state-machines';
import { type Refusal, type TaskScope, taskClasses, type Unasked } from '@mooring/contract/engines/rollout/schemas';
import type { TaskKind } from '@mooring/contract/engines/rollout/task-kind';
import { codeOf, codesOf } from '@mooring/contract/kit/state-machine';
import { compareVersions } from '@mooring/contract/shared/compare-versions';
import { type RawBuilder, sql } from 'kysely';
import type { Db } from '../../platform/context.ts';
import { firstWhy } from '../../platform/db/first-why.ts';
import { inGroups } from '../devices/groups.ts';
import { broughtIt } from './had-before.ts';
import type { Subject, Task } from './task.ts';

const disabled = codeOf(deviceMachine, 'disabled');

type Why = readonly [why: Refusal, holds: RawBuilder<boolean>];
type PartialScope = Extract<TaskScope, { releaseScope: '1' }>;
export interface Aim {
  readonly subject: Subject;
  /** What of a device is occupied besides the kind; nothing where it is in one release of the kind at a time. */
  readonly part: string;
  /** What the subject is on a device `d` now. */
  readonly current: RawBuilder<string | null>;
  /** The version that people know it by. */
  readonly runs: RawBuilder<string | null>;
  /** Whether a device `d` with a result `r` of the release that is rolled back goes back; nothing where none is. */
  readonly back: RawBuilder<boolean> | undefined;
  /** Whether a device `d` has the subject at all. */
  readonly fits: RawBuilder<boolean>;
  /** Which devices `d` are kept from it by a rule of its kind. */
  readonly withheld: readonly Why[];
  /** Whether a device `d` says that it can do it. */
  readonly able: RawBuilder<boolean>;
  /** A device that runs a newer version refuses it. */
  readonly onwards: boolean;
  /** Whether a device `d` runs a newer version, where the kind can tell by itself. */
  readonly isNewer: RawBuilder<boolean> | undefined;
  readonly deptPath: string;
  readonly scope: TaskScope;
  /** Device states (section 4) that count. */
  readonly states: readonly string[];
  /** Of those that are active already, only who first was after this; nobody where it is null, whoever it is where it is left out. */
  readonly activeSince?: Date | null;
}

const active: readonly string[] = codesOf(deviceMachine, ['offline', 'online']);
/** In service, or not active yet. */
export const statesOf = (taskClass: string): readonly string[] => (taskClass === taskClasses.preset ? ['1', '5'] : ['1', '2', '3', '5']);

/** As terminals are looked for again while a task is under way: what waits for a first contact has those too that had theirs since it began. */
export const lookingAgain = (aim: Aim, task: Pick<Task, 'task_class' | 'started_at'>): Aim =>
  task.task_class === taskClasses.preset ? { ...aim, states: [...aim.states, ...active], activeSince: task.started_at } : aim;

/** Terminals that have just been in contact for the first time. */
export const activated = (aim: Aim): Aim => ({ ...aim, states: active });

/** What a device `d` must meet to be asked for, and what it isn't where it doesn't. */
type Asked = readonly [unless: Unasked, holds: RawBuilder<boolean>];

const reach = ({ subject, deptPath }: Pick<Aim, 'subject' | 'deptPath'>): readonly Asked[] => [
  ['product', subject.productId === null ? sql<boolean>`true` : sql<boolean>`d.product_id = ${subject.productId}`],
  ['reach', sql<boolean>`d.deleted_at is null and d.dept_path >= ${deptPath} and d.dept_path < ${`${deptPath}~`}`],
];
const every = (of: readonly Asked[]) =>
  sql<boolean>`${sql.join(
    of.map(([, holds]) => holds),
    sql` and `,
  )}`;

/** Devices (as `d`) of what a task sends, in reach of its owner. */
export const inReach = (of: Pick<Aim, 'subject' | 'deptPath'>): RawBuilder<boolean> => every(reach(of));

/** Whether a device `d` says that it can do what a kind, and what is sent, asks of it. */
export const canDo = ({ capability }: Pick<TaskKind, 'capability'>, { needs }: Pick<Subject, 'needs'>): RawBuilder<boolean> => {
  const asked = [capability, needs].filter((one) => one !== undefined);
  return asked.length === 0 ? sql<boolean>`true` : sql<boolean>`d.capabilities @> ${asked}::text[]`;
};

/** What a task asks of a device, one after the other. */
async function asking(db: Db, aim: Aim): Promise<readonly Asked[]> {
  const { scope } = aim;
  if (scope.releaseScope === '0') return reach(aim);
  if (scope.releaseScope === '2') return [...reach(aim), ['sns', sql<boolean>`d.sn = any(${scope.sns}::text[])`]];
  const asked: Asked[] = [...reach(aim)];
  if (scope.deptIds.length > 0) asked.push(['depts', await below(db, scope.deptIds)]);
  if (scope.groupIds !== undefined) asked.push(['groups', await inGroups(db, scope.groupIds)]);
  if (scope.merchantIds !== undefined) asked.push(['merchants', ofMerchants(scope.merchantIds)]);
  if (scope.tags.length > 0) asked.push(['tags', sql<boolean>`d.tags && ${scope.tags}::text[]`]);
  // What its first contact may change comes last: it is why a terminal isn't asked for where nothing else is.
  if (scope.firmware.length > 0) asked.push(['firmware', sql<boolean>`${aim.runs} = any(${scope.firmware}::text[])`]);
  if (scope.updatedBy !== null) asked.push(['updatedBy', updated(scope.updatedBy, aim)]);
  return asked;
}

/** Devices (as `d`) that a task asks for, whatever would become of it there. */
export const askedFor = async (db: Db, aim: Aim): Promise<RawBuilder<boolean>> => every(await asking(db, aim));

/** Why a task doesn't ask for a device `d`; null where it does. */
export async function unaskedOf(db: Db, aim: Aim): Promise<RawBuilder<Unasked | null>> {
  const asked = await asking(db, aim);
  return firstWhy(asked.map(([unless, holds]) => [unless, sql<boolean>`(${holds}) is not true`] as const));
}

/** Versions of devices that are asked for which are newer than what is sent, where devices refuse to go back. */
async function newerVersions(db: Db, aim: Aim, among: RawBuilder<boolean>): Promise<string[]> {
  const { version } = aim.subject;
  if (!aim.onwards || version === null || aim.isNewer) return [];
  const found = await sql<{ version: string | null }>`
    select distinct ${aim.current} as version from device d where ${await askedFor(db, aim)} and ${among}`.execute(db);
  return found.rows.flatMap((row) => (row.version !== null && compareVersions(version, row.version) < 0 ? [row.version] : []));
}

/** What keeps a device `d` that is asked for out of a task; the first that holds is why. */
async function keptOut(db: Db, aim: Aim, among: RawBuilder<boolean>): Promise<readonly Why[]> {
  const newer = await newerVersions(db, aim, among);
  return [
    ['active', sql`(d.status <> all(${aim.states}::text[]) and d.status <> ${disabled})`],
    ...(aim.activeSince === undefined
      ? []
      : [
          ['active', sql`(d.status = any(${active}::text[]) and coalesce(d.activated_at <= ${aim.activeSince}::timestamptz, true))`] as Why,
        ]),
    ['disabled', sql`(d.status <> all(${aim.states}::text[]))`],
    ['noPart', sql`(${aim.fits}) is not true`],
    ...aim.withheld,
    ['same', sql`${aim.current} is not distinct from ${aim.subject.version}::text`],
    ...(aim.onwards && aim.isNewer ? [['newer', sql`(${aim.isNewer}) is true`] as Why] : []),
    ...(newer.length === 0 ? [] : [['newer', sql`coalesce(${aim.current} = any(${newer}::text[]), false)`] as Why]),
    // What one never in contact can do nobody knows; whoever is known to refuse would only fail, and stop the others by that.
    ['notSupported', sql`not (${aim.able} or d.activated_at is null)`],
  ];
}

/** Devices (as `d`) that a task takes in, of those `among` which its devices are looked for. */
export async function matching(db: Db, aim: Aim, among = sql<boolean>`true`): Promise<RawBuilder<boolean>> {
  const out = (await keptOut(db, aim, among)).map(([, holds]) => sql`not ${holds}`);
  return sql<boolean>`${await askedFor(db, aim)} and ${among} and ${sql.join(out, sql` and `)}`;
}

/** Why a task doesn't take in a device `d`, of those `among` which it is looked for, that it asks for; null where it does. */
export async function refusalOf(db: Db, aim: Aim, among = sql<boolean>`true`): Promise<RawBuilder<Refusal | null>> {
  return firstWhy(await keptOut(db, aim, among));
}

/** Devices (as `d`) that a release has updated, or one of its rings. */
const updated = ({ taskId, ring, sn }: NonNullable<PartialScope['updatedBy']>, { back }: Aim): RawBuilder<boolean> =>
  sql<boolean>`exists (select from rollout_result r where r.task_id = ${taskId} and r.device_id = d.id and ${broughtIt}
    and ${ring === null ? sql`true` : sql`r.ring = ${ring}`} and ${sn === undefined ? sql`true` : sql`d.sn = ${sn}`} and ${back ?? sql`true`})`;

/** Devices (as `d`) of merchants: whoever is in a shop is of its merchant too. */
export const ofMerchants = (ids: readonly number[]): RawBuilder<boolean> => sql<boolean>`d.merchant_id = any(${ids}::bigint[])`;

/** Devices (as `d`) at and below departments. */
export async function below(db: Db, deptIds: readonly number[]): Promise<RawBuilder<boolean>> {
  const depts = await db
    .selectFrom('org_dept')
    .select('dept_path')
    .where('id', 'in', [...deptIds])
    .execute();
  const ranges = depts.map((dept) => sql<boolean>`(d.dept_path >= ${dept.dept_path} and d.dept_path < ${`${dept.dept_path}~`})`);
  return ranges.length === 0 ? sql<boolean>`false` : sql<boolean>`(${sql.join(ranges, sql` or `)})`;
}
