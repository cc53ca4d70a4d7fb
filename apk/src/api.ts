import { rename, rm } from 'node:fs/promises';
import type { PackageInfo as InfoSchema, imageTypes, SignatureVerdict } from '@mooring/contract/app/package';
import { Fault } from '@mooring/contract/kit/fault';
import type { z } from 'zod';
import { WrongSignature } from './broken.ts';
import { runThread } from './run-thread.ts';
import { provenNext } from './sign/block-bytes.ts';
import { readLineage } from './signature/lineage.ts';

/** The picture of an app, as it lies in the package: never one that holds code. */
export interface PackageIcon {
  readonly type: (typeof imageTypes)[number];
  readonly bytes: Uint8Array;
}

export interface PackageInfo extends z.infer<typeof InfoSchema> {
  readonly icon: PackageIcon | null;
}

export interface ReadPackage {
  readonly info: PackageInfo;
  readonly signature: SignatureVerdict;
  /** DER: the signer's own first, then those that lie with it. */
  readonly certificates: readonly Uint8Array[];
}

/** Whose private key lies elsewhere: bytes go out to be signed. An EC signature comes as DER, an RSA one by PKCS #1 v1.5. */
export interface ApkSigner {
  /** DER, the signer's own first. */
  readonly certificates: readonly Uint8Array[];
  readonly algorithm: 'rsa' | 'ec';
  sign(digest: 'sha256' | 'sha512', data: Uint8Array): Promise<Uint8Array>;
}

export interface SignRequest {
  readonly from: string;
  readonly to: string;
  readonly signer: ApkSigner;
  /** Below 24 there is a v1 signature too; by SHA-256, which Android knows from 18 on. */
  readonly minSdk: number;
  /** Of a rotated key: the proof (`proveNext`), and the oldest key, which v1 and v2 are signed with for Androids that know no rotation: those below 28. */
  readonly lineage?: { readonly proof: Uint8Array; readonly oldest?: ApkSigner | undefined } | undefined;
}

/** Reads a package in a thread of its own. Throws the fault PACKAGE_UNREADABLE, whose `rule` is the one that it breaks. */
export async function readPackage(path: string): Promise<ReadPackage> {
  const answer = await runThread({ kind: 'read', path });
  if (!('read' in answer)) throw new Error('nothing was read');
  return answer.read;
}

/** The signature alone, of a package or of a plain archive (JAR). Throws as `readPackage`. */
export async function verifyPackage(path: string): Promise<SignatureVerdict> {
  const answer = await runThread({ kind: 'verify', path });
  if (!('verdict' in answer)) throw new Error('nothing was verified');
  return answer.verdict;
}

const said = ({ certificates, algorithm }: ApkSigner) => ({ certificates, algorithm });

/**
 * Writes a signed and aligned copy, which stands under its name once it is whole; older signatures go. A plain archive gets a v1 signature alone. Throws
 * the fault PACKAGE_UNREADABLE, SIGNATURE_MISMATCH where what comes back isn't of the certificate's key, and what the signer throws.
 */
export async function signPackage({ from, to, signer, minSdk, lineage }: SignRequest): Promise<void> {
  const part = `${to}.part`;
  const keys = { signer, oldest: lineage?.oldest ?? signer };
  const line = lineage && { proof: lineage.proof, oldest: lineage.oldest && said(lineage.oldest) };
  try {
    await runThread({ kind: 'sign', path: from, to: part, minSdk, signer: said(signer), lineage: line }, (asked) =>
      Promise.all(asked.map(({ by, digest, data }) => keys[by].sign(digest, data))),
    );
    await rename(part, to);
  } finally {
    await rm(part, { force: true });
  }
}

/**
 * The proof that a key named the next one, by its certificate (DER): newer Androids take the next one's packages as updates. Where the key follows others
 * itself, `proof` says so, and goes on. Fault: SIGNATURE_MISMATCH.
 */
export async function proveNext(old: ApkSigner, next: Uint8Array, proof?: Uint8Array): Promise<Buffer> {
  try {
    const proven = await provenNext(old, next, proof);
    // Read as Android will: what can't be isn't kept.
    readLineage(proven);
    return proven;
  } catch (error) {
    if (error instanceof WrongSignature) throw new Fault('SIGNATURE_MISMATCH', { params: { rule: error.rule } });
    throw error;
  }
}
