import { X509Certificate } from 'node:crypto';
import { signingProfileCalls } from '@mooring/contract/signing/profile';
import { sql } from 'kysely';
import type { Ctx, Db } from '../../platform/context.ts';
import { warningsBefore } from '../../platform/warn-before.ts';
import { notify } from '../message/api.ts';
import { signedApps } from './key.resource.ts';

const DAY = 86_400_000;
const warnings = warningsBefore(60, 30, 7);
const MOST = 500;

const leftOf = (end: Date, now: Date): number => (end.getTime() - now.getTime()) / DAY;
const priorityOf = (due: number) => (due <= 7 ? '1' : '2');

/** The certificate of a key ends: its people hear of it sixty, thirty and seven days before, once each. */
export async function warnOfKeys(ctx: Pick<Ctx, 'now'>, db: Db): Promise<void> {
  const now = ctx.now();
  const soon = await db
    .selectFrom('signing_key')
    .select(['id', 'name', 'not_after', 'dept_path', signedApps('signing_key.id').as('has_apps')])
    .where('state', 'in', ['active', 'suspended'])
    .where('not_after', '>', now)
    .where('not_after', '<=', new Date(now.getTime() + warnings.most * DAY))
    .where(warnings.isDue(sql`extract(epoch from not_after - ${now}::timestamptz) / 86400`, 'warned_days'))
    .orderBy('not_after')
    .limit(MOST)
    .forUpdate()
    .execute();
  for (const key of soon) {
    const left = leftOf(key.not_after, now);
    const due = warnings.dueAt(left);
    await db.updateTable('signing_key').set({ warned_days: due }).where('id', '=', key.id).execute();
    await notify(db, {
      name: key.has_apps ? 'signingKeyEndsApps' : 'signingKeyEnds',
      params: { key: key.name, days: Math.ceil(left) },
      to: { above: key.dept_path, can: 'signing:key:update' },
      deptPath: key.dept_path,
      priority: priorityOf(due),
      link: `/keypairAdd/${key.id}`,
      channels: ['centre', 'email'],
    });
  }
}

const parts = ['signerSubject', 'root', 'timeRoot'] as const;
/** None of what can't be read: whatever is wrong with one profile, the others, and all that is swept with them, go on. */
function endOfPem(pem: string): Date | null {
  try {
    return pem === '' ? null : new Date(new X509Certificate(pem).validTo);
  } catch {
    return null;
  }
}
/** Until when the certificates count by which a profile signs or is verified, the first end first. */
function endsOf(row: { readonly signer_ends: Date | null; readonly root: string; readonly time_root: string }, now: Date) {
  const ends = { signerSubject: row.signer_ends, root: endOfPem(row.root), timeRoot: endOfPem(row.time_root) };
  return parts
    .flatMap((part) => {
      const end = ends[part];
      return end && end > now ? [{ part, end }] : [];
    })
    .toSorted((a, b) => a.end.getTime() - b.end.getTime());
}

/** The same of profiles, which have an external signer, a root, or one of a time-stamping service: whichever ends first. */
export async function warnOfProfiles(ctx: Pick<Ctx, 'now'>, db: Db): Promise<void> {
  const now = ctx.now();
  const profiles = await db
    .selectFrom('signing_profile')
    .select(['id', 'name', 'dept_path', 'signer_ends', 'root', 'time_root', 'warned_end', 'warned_days'])
    .where((eb) => eb.or([eb('signer_ends', 'is not', null), eb('root', '<>', ''), eb('time_root', '<>', '')]))
    .orderBy('id')
    .execute();
  for (const profile of profiles) {
    const [first] = endsOf(profile, now);
    if (!first) continue;
    const left = leftOf(first.end, now);
    const due = warnings.dueAt(left);
    const isSame = profile.warned_end?.getTime() === first.end.getTime();
    if (due >= ((isSame ? profile.warned_days : null) ?? Number.POSITIVE_INFINITY)) continue;
    // Nobody waits for a profile because others are gone through: it is noted where nobody has done so since it was read.
    const { numUpdatedRows: noted } = await db
      .updateTable('signing_profile')
      .set({ warned_end: first.end, warned_days: due })
      .where('id', '=', profile.id)
      .where(sql<boolean>`(warned_end, warned_days) is not distinct from (${profile.warned_end}::timestamptz, ${profile.warned_days}::int)`)
      .executeTakeFirstOrThrow();
    if (noted === 0n) continue;
    await notify(db, {
      name: 'signingProfileEnds',
      params: { profile: profile.name, days: Math.ceil(left), whatKey: `signingProfile.ends.${first.part}` },
      to: { above: profile.dept_path, can: signingProfileCalls.update.can as string },
      deptPath: profile.dept_path,
      priority: priorityOf(due),
      link: '/apkTool?tab=profiles',
      channels: ['centre', 'email'],
    });
  }
}
