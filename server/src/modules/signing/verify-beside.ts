import type { X509Certificate } from 'node:crypto';
import { X509Certificate as Certificate } from 'node:crypto';
import type { ParsedInputOf } from '@mooring/contract/kit/call';
import { fault } from '@mooring/contract/kit/fault';
import type { besideCalls, chainEnds } from '@mooring/contract/signing/verify-beside';
import type { Ctx } from '../../platform/context.ts';
import type { BlobStore } from '../../platform/files/blob-store.ts';
import { inTurn } from '../../platform/in-turn.ts';
import { namedFiles } from '../file/api.ts';
import { fingerprintOf } from './certificate.ts';
import { leadsTo } from './leads-to.ts';
import { type Beside, readBeside } from './read-cms.ts';
import { inOneLine, subjectOf } from './subject.ts';
import { readToken } from './timestamp.ts';
import { algorithmText } from './vault/private-key.ts';
import { knownKey } from './verify-file.ts';

const KINDS = ['3', '4', '8'];
const MOST_PROFILES = 200;
/** Each reads a whole file. */
const turn = inTurn({ atOnce: 2, queue: 10 });

const isIssued = (one: X509Certificate, by: X509Certificate): boolean => one.checkIssued(by) && one.verify(by.publicKey);

/** A certificate that signs no others is one of itself all the same. */
const isOwn = (one: X509Certificate): boolean => one.issuer === one.subject && one.verify(one.publicKey);

/** From the signer's own up, among those that came along. */
function chainOf({ own, others }: Beside): X509Certificate[] {
  const chain = [own];
  for (let last: X509Certificate | undefined = own; last; ) {
    const below: X509Certificate = last;
    last = isOwn(below) ? undefined : others.find((one) => !chain.includes(one) && isIssued(below, one));
    if (last) chain.push(last);
  }
  return chain;
}

function endOf(chain: readonly X509Certificate[]): (typeof chainEnds)[number] {
  const last = chain.at(-1);
  if (!last || !isOwn(last)) return 'open';
  return chain.length === 1 ? 'self' : 'root';
}

const shown = (one: X509Certificate) => ({
  subject: subjectOf(one),
  issuer: inOneLine(one.issuer),
  serial: one.serialNumber.toLowerCase(),
  algorithm: algorithmText(one.publicKey),
  sha256: fingerprintOf(one.raw),
  notBefore: new Date(one.validFrom),
  notAfter: new Date(one.validTo),
});

/** The roots that profiles name, of those that this person sees. */
const rootsOf = (ctx: Ctx) =>
  ctx.inTx((db) =>
    db
      .selectFrom('signing_profile')
      .select(['id', 'name', 'root', 'time_root'])
      .where((eb) => eb.or([eb('root', '<>', ''), eb('time_root', '<>', '')]))
      .orderBy('id')
      .limit(MOST_PROFILES)
      .execute(),
  );
type Roots = Awaited<ReturnType<typeof rootsOf>>;

const raws = (of: readonly X509Certificate[]) => of.map(({ raw }) => raw);

function stampOf({ stamp, signature }: Beside, roots: Roots) {
  if (!stamp) return null;
  try {
    const { at, own, others } = readToken(stamp, signature);
    const known = roots.some(({ time_root: root }) => root !== '' && leadsTo(raws([own, ...others]), new Certificate(root), at));
    return { at, by: subjectOf(own), holds: true, known };
  } catch {
    return { at: null, by: '', holds: false, known: false };
  }
}

/** Faults: those of `readBeside`. */
export async function verifyBeside(ctx: Ctx, store: BlobStore, { fileId, signature }: ParsedInputOf<typeof besideCalls.verifyBeside>) {
  const beside = readBeside(Buffer.from(signature, 'base64'));
  const file = (await namedFiles(ctx, [fileId], KINDS, async () => [])).get(fileId);
  if (!file) throw fault('NOT_FOUND');
  const give = await turn();
  try {
    const wrong = await beside.check(await store.read(file.sha256));
    const roots = await rootsOf(ctx);
    const chain = chainOf(beside);
    const stamp = stampOf(beside, roots);
    // What the signer says of the time is worth as much as the signer: what a service says that is known is worth more.
    const at = (stamp?.known ? stamp.at : null) ?? beside.signedAt ?? ctx.now();
    const profile = roots.find(({ root }) => root !== '' && leadsTo(raws([beside.own, ...beside.others]), new Certificate(root), at));
    const key = await knownKey(ctx, fingerprintOf(beside.own.raw));
    return {
      fileName: file.name,
      size: file.size,
      sha256: file.sha256,
      wrong,
      digest: beside.digest,
      chain: chain.map(shown),
      chainEnds: endOf(chain),
      validThen: chain.every((one) => new Date(one.validFrom) <= at && at < new Date(one.validTo)),
      signedAt: beside.signedAt,
      stamp,
      key: key ?? null,
      profile: profile ? { id: profile.id, name: profile.name } : null,
    };
  } finally {
    give();
  }
}
