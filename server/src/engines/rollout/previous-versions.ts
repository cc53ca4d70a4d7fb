import type { NoWayBack, Previous } from '@mooring/contract/engines/rollout/schemas';
import { Fault } from '@mooring/contract/kit/fault';
import { sql } from 'kysely';
import type { z } from 'zod';
import type { Ctx } from '../../platform/context.ts';
import { all, exact } from '../../platform/db/criteria.ts';
import { broughtBy, broughtIt, type Had, hadBefore, UNKNOWN, type WayBack, wasOf } from './had-before.ts';
import { type RolloutKind, readTask, type Task } from './task.ts';
import { ownTask } from './task-row.ts';

const SHOWN = 50;

interface Of {
  readonly id: number;
  readonly ring?: number | undefined;
  readonly deviceId?: number | undefined;
}
type Row = z.input<typeof Previous>[number];
interface Counted extends Had {
  readonly count: number;
}

const nowhere = { packageId: null, content: null, cant: null, fault: null } as const;
const cant = (why: NoWayBack) => ({ ...nowhere, cant: why });

/** A way back as a release of it would be taken; or what that would be refused with. */
async function checked(ctx: Ctx, kind: RolloutKind, task: Task, way: WayBack | undefined) {
  if (!way) return cant('noRecord');
  if ('cant' in way) return cant(way.cant);
  const packageId = 'packageId' in way ? way.packageId : null;
  const content = 'content' in way ? (way.content as NonNullable<Row['content']>) : null;
  try {
    await kind.check(ctx, { package_id: packageId, product_id: task.product_id, content });
  } catch (error) {
    if (!(error instanceof Fault)) throw error;
    return { ...cant('refused'), fault: { key: error.fault, params: error.params } };
  }
  return { ...nowhere, packageId, content };
}

/** Of whom nobody knows what they had, as many go where most go. */
function goneAlong(rows: readonly Row[]): readonly Row[] {
  const most = rows.find((row) => row.cant === null);
  const rest = rows.filter((row) => row.version === null);
  if (!most || rest.length === 0) return rows;
  const joined = {
    ...most,
    had: [most, ...rest].flatMap(({ had }) => had),
    count: [most, ...rest].reduce((sum, row) => sum + row.count, 0),
  };
  return rows.flatMap((row) => (row === most ? [joined] : rest.includes(row) ? [] : [row]));
}

/** What the updated terminals of a release had before it, and what it takes to have that again; of all, of a ring, or of one. */
export async function previousVersions(ctx: Ctx, kind: RolloutKind, { id, ring, deviceId }: Of): Promise<z.input<typeof Previous>> {
  const task = readTask(await ownTask(ctx, kind.of, id));
  const which = all(sql<boolean>`r.task_id = ${id}`, exact('r.ring', ring), exact('r.device_id', deviceId));
  // Who had it already when it was sent has nothing to go back to.
  const { rows } = await sql<{ version: string | null; count: number; all: number; one: number; other: number }>`
    select ${await wasOf(ctx.db, kind, task.subject)} as version, count(*)::int as count, sum(count(*)) over ()::int as all,
      min(r.device_id) as one, max(r.device_id) as other
    from rollout_result r where ${which} and ${broughtIt} and ${hadBefore} is distinct from coalesce(r.version, ${await broughtBy(kind, ctx.db, task)}::text)
    group by 1 order by 2 desc, 1 limit ${SHOWN}`.execute(ctx.db);
  const had = rows.map(({ version, count, one, other }): Counted => ({ version, count, deviceIds: [...new Set([one, other])] }));
  const to = await kind.back.to(ctx, task, had);
  const shown: Row[] = [];
  for (const { version, count } of had)
    shown.push({
      version: version === UNKNOWN ? null : version,
      had: [version],
      count,
      ...(await checked(ctx, kind, task, version === UNKNOWN ? undefined : to.get(version))),
    });
  const left = (rows[0]?.all ?? 0) - rows.reduce((sum, row) => sum + row.count, 0);
  const ways = kind.back.restGoesAlong ? goneAlong(shown) : shown;
  return left > 0 ? [...ways, { version: null, had: [], count: left, ...cant('many') }] : [...ways];
}
