import type { RegisterKind } from '@mooring/contract/auth/register-calls';
import { Fault, fault } from '@mooring/contract/kit/fault';
import type { Ctx, Db } from '../../../platform/context.ts';
import { readSetting } from '../../../platform/settings.ts';
import { homeOf } from '../../../platform/unproven.ts';
import { findOpen, openPlace, type Place, type Sought, workingPlace } from '../../org/api.ts';
import { countUp } from '../attempts.ts';
import { policiesAt } from '../policies.ts';

const MINUTES = 60;
const FINDS = 60;
const REGISTRATIONS = 20;

const soughtBy = { org: 'unit', child: 'organisation', join: 'organisation' } as const satisfies Record<
  Exclude<RegisterKind, 'one'>,
  Sought
>;

async function oneUnit(db: Db): Promise<Place | undefined> {
  const { oneDeptId } = await readSetting(db, 'registration');
  return oneDeptId === null ? undefined : workingPlace(db, oneDeptId);
}

/** What may be registered at the door at this moment. */
export async function kindsOpen(db: Db): Promise<RegisterKind[]> {
  if (!(await readSetting(db, 'registration')).open) return [];
  return ['org', 'child', 'join', ...((await oneUnit(db)) ? (['one'] as const) : [])];
}

export async function registrationState(ctx: Ctx) {
  // Past the range policy: nobody is signed in here.
  return ctx.unscoped(async (db) => {
    const kinds = await kindsOpen(db);
    return { open: kinds.length > 0, kinds, policy: (await policiesAt(db, undefined)).password };
  });
}

/** So many from one address in an hour, whatever the answers were. */
export async function countBeforeSignIn(ctx: Ctx, what: 'find' | 'regist'): Promise<void> {
  const most = what === 'find' ? FINDS : REGISTRATIONS;
  const count = await ctx.unscoped((db) => countUp(db, `${what}-from:${homeOf(ctx.ip)}`, MINUTES));
  if (count > most) throw fault('TOO_MANY', { seconds: MINUTES * 60 });
}

export async function checkOpen(db: Db, kind?: RegisterKind): Promise<void> {
  const kinds = await kindsOpen(db);
  if (kinds.length === 0 || (kind && !kinds.includes(kind))) throw new Fault('REGIST_CLOSED');
}

export async function findPlaces(ctx: Ctx, kind: Exclude<RegisterKind, 'one'>, text: string) {
  await countBeforeSignIn(ctx, 'find');
  return ctx.unscoped(async (db) => {
    await checkOpen(db, kind);
    return findOpen(db, soughtBy[kind], text);
  });
}

/** Where somebody registers. A place that isn't open and one that isn't there answer the same. */
export async function placeFor(db: Db, kind: RegisterKind, id: number | undefined, field: string): Promise<Place> {
  const place = kind === 'one' ? await oneUnit(db) : await openPlace(db, soughtBy[kind], id ?? 0);
  if (!place) throw new Fault('REGIST_PLACE', { fields: { [field]: 'fault.REGIST_PLACE' } });
  return place;
}
