import { X509Certificate } from 'node:crypto';
import type { Issuers } from '@mooring/apk/cms/issuers';
import { climb, endsAt } from '@mooring/apk/cms/leads-to';
import type { Beside } from '@mooring/apk/cms/read-cms';
import { sql } from 'kysely';
import type { Ctx } from '../../platform/context.ts';
import { fingerprintOf } from './certificate.ts';
import { subjectOf } from './subject.ts';
import { readToken } from './timestamp.ts';

/** The profiles that name a root or a signer, of those that this person sees: their own organisation's first. */
export const vouchersOf = (ctx: Ctx) =>
  ctx.inTx((db) =>
    db
      .selectFrom('signing_profile as s')
      .leftJoin('org_dept as o', 'o.id', 's.dept_id')
      .select((eb) => [
        's.id',
        's.name',
        's.root',
        's.time_root',
        's.signer_sha256',
        eb.fn.coalesce('o.name', sql<string>`''`).as('dept_name'),
      ])
      .where((eb) => eb.or([eb('s.root', '<>', ''), eb('s.time_root', '<>', ''), eb('s.signer_sha256', '<>', '')]))
      .orderBy(sql`s.dept_path <> ${ctx.scope.path}`)
      .orderBy(sql`length(s.dept_path)`)
      .orderBy('s.id')
      .execute(),
  );
type Voucher = Awaited<ReturnType<typeof vouchersOf>>[number];

/** A time stamp within a signature, whoever made it. */
export function stampOf({ stamp, signature }: Pick<Beside, 'stamp' | 'signature'>) {
  if (!stamp) return null;
  try {
    const { at, own, others } = readToken(stamp, signature);
    return { at, by: subjectOf(own), holds: true, chain: [own, ...others] };
  } catch {
    return { at: null, by: '', holds: false, chain: [] };
  }
}

interface Of {
  readonly beside: Pick<Beside, 'own' | 'others'>;
  readonly stamp: ReturnType<typeof stampOf>;
  readonly issuers: Issuers;
  readonly now: Date;
}

/** Each root is read once, however many profiles name it. */
function rootsRead() {
  const read = new Map<string, X509Certificate>();
  return (pem: string): X509Certificate => {
    const root = read.get(pem) ?? new X509Certificate(pem);
    read.set(pem, root);
    return root;
  };
}

/** The first profile that the signer's certificate leads to, or that names it. A time stamp counts by the root of that same profile alone: another one's says nothing of what it vouches for. */
export function vouchedBy(vouchers: readonly Voucher[], { beside, stamp, issuers, now }: Of) {
  const rootOf = rootsRead();
  const chain = [beside.own, ...beside.others];
  const reachedNow = climb(chain, now, issuers);
  const reachedThen = stamp?.at ? climb(chain, stamp.at, issuers) : [];
  const stampReached = stamp?.at ? climb(stamp.chain, stamp.at, issuers) : [];
  const knowsStamp = ({ time_root }: Voucher) =>
    stamp?.at != null && time_root !== '' && endsAt(stampReached, rootOf(time_root), stamp.at, issuers);
  const own = fingerprintOf(beside.own.raw);
  const vouches = (one: Voucher) => {
    if (one.signer_sha256 !== '') return one.signer_sha256 === own;
    if (one.root === '') return false;
    const root = rootOf(one.root);
    if (endsAt(reachedNow, root, now, issuers)) return true;
    return stamp?.at != null && knowsStamp(one) && endsAt(reachedThen, root, stamp.at, issuers);
  };
  const profile = vouchers.find(vouches);
  const isStampKnown = profile ? knowsStamp(profile) : vouchers.some(knowsStamp);
  return { profile: profile ? { id: profile.id, name: profile.name, deptName: profile.dept_name } : null, isStampKnown };
}
