import type { X509Certificate } from 'node:crypto';
import { Issuers } from '@mooring/apk/cms/issuers';
import { type Beside, readBeside } from '@mooring/apk/cms/read-cms';
import type { ParsedInputOf } from '@mooring/contract/kit/call';
import { fault } from '@mooring/contract/kit/fault';
import type { besideCalls, chainEnds, clockDoubts } from '@mooring/contract/signing/verify-beside';
import type { Ctx } from '../../platform/context.ts';
import type { BlobStore } from '../../platform/files/blob-store.ts';
import { namedFiles } from '../file/api.ts';
import { fingerprintOf } from './certificate.ts';
import { inOneLine, subjectOf } from './subject.ts';
import { algorithmText } from './vault/private-key.ts';
import { inTurnToLook, knownKey } from './verify-file.ts';
import { stampOf, vouchedBy, vouchersOf } from './vouchers.ts';

const KINDS = ['3', '4', '8'];
/** Clocks of those who sign differ. */
const CLOCKS_DIFFER = 5 * 60_000;

/** From the signer's own up, among those that came along. */
function chainOf({ own, others }: Beside, issuers: Issuers): X509Certificate[] {
  const chain = [own];
  for (let last: X509Certificate | undefined = own; last; ) {
    const below: X509Certificate = last;
    last = issuers.isOwn(below) ? undefined : others.find((one) => !chain.includes(one) && issuers.issued(below, one));
    if (last) chain.push(last);
  }
  return chain;
}

function endOf(chain: readonly X509Certificate[], issuers: Issuers): (typeof chainEnds)[number] {
  const last = chain.at(-1);
  if (!last || !issuers.isOwn(last)) return 'open';
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

const areValid = (chain: readonly X509Certificate[], at: Date): boolean =>
  chain.every((one) => new Date(one.validFrom) <= at && at < new Date(one.validTo));

function clockDoubt(signedAt: Date | null, stampedAt: Date | null, now: Date): (typeof clockDoubts)[number] | null {
  const isAfter = (at: Date) => signedAt !== null && signedAt.getTime() > at.getTime() + CLOCKS_DIFFER;
  if (isAfter(now)) return 'future';
  return stampedAt && isAfter(stampedAt) ? 'afterStamp' : null;
}

/** Faults: those of `readBeside`. */
export async function verifyBeside(ctx: Ctx, store: BlobStore, { fileId, signature }: ParsedInputOf<typeof besideCalls.verifyBeside>) {
  const file = (await namedFiles(ctx, [fileId], KINDS, async () => [])).get(fileId);
  if (!file) throw fault('NOT_FOUND');
  return inTurnToLook(ctx, async () => {
    const beside = readBeside(Buffer.from(signature, 'base64'));
    const wrong = await beside.check(await store.read(file.sha256));
    const issuers = new Issuers();
    const chain = chainOf(beside, issuers);
    const stamp = stampOf(beside);
    const vouched = vouchedBy(await vouchersOf(ctx), { beside, stamp, issuers, now: ctx.now() });
    // What the signer says of the time is worth as much as the signer: what a service says that is known is worth more.
    const at = (vouched.isStampKnown ? stamp?.at : undefined) ?? ctx.now();
    const { signedAt } = beside;
    const key = await knownKey(ctx, fingerprintOf(beside.own.raw));
    return {
      fileName: file.name,
      size: file.size,
      sha256: file.sha256,
      wrong,
      digest: beside.digest,
      chain: chain.map(shown),
      chainEnds: endOf(chain, issuers),
      judgedAt: at,
      valid: areValid(chain, at),
      validByClock: signedAt !== null && areValid(chain, signedAt),
      signedAt,
      clock: clockDoubt(signedAt, stamp?.at ?? null, ctx.now()),
      stamp: stamp && { at: stamp.at, by: stamp.by, holds: stamp.holds, known: vouched.isStampKnown },
      key: key ?? null,
      profile: vouched.profile,
    };
  });
}
