import { parentPort, workerData } from 'node:worker_threads';
import type { PackageRule, SignatureRule, SignatureVerdict } from '@mooring/contract/app/package';
import type { ApkSigner, ReadPackage } from './api.ts';
import { BrokenPackage, WrongSignature } from './broken.ts';
import { readPackageFrom, verifyPackageFrom } from './read-package.ts';
import { signZip } from './sign/sign-zip.ts';
import { fileSink } from './sign/sink.ts';
import { type FileSource, fileSource } from './source.ts';

export type SignerName = 'signer' | 'oldest';
type Said = Pick<ApkSigner, 'certificates' | 'algorithm'>;
export interface SignWork {
  readonly kind: 'sign';
  readonly path: string;
  readonly to: string;
  readonly minSdk: number;
  readonly signer: Said;
  readonly lineage: { readonly proof: Uint8Array; readonly oldest: Said | undefined } | undefined;
}
interface ReadWork {
  readonly kind: 'read' | 'verify';
  readonly path: string;
}
export type ApkWork = ReadWork | SignWork;

/** Bytes to be signed by whoever has the key. */
export interface Asked {
  readonly by: SignerName;
  readonly digest: 'sha256' | 'sha512';
  readonly data: Uint8Array;
}
export type ApkAnswer =
  | { readonly asked: readonly Asked[] }
  | { readonly read: ReadPackage }
  | { readonly verdict: SignatureVerdict }
  | { readonly signed: true }
  | { readonly broken: PackageRule }
  | { readonly wrong: SignatureRule }
  | { readonly failed: string };

const tell = (answer: ApkAnswer) => parentPort?.postMessage(answer);

interface Asking {
  readonly asked: Asked;
  readonly resolve: (signature: Uint8Array) => void;
}
const together: Asking[] = [];

/** Those that are asked for in one breath go out together, and are answered together: whoever signs by hand is asked once. */
function ask(asked: Asked): Promise<Uint8Array> {
  if (together.length === 0)
    queueMicrotask(() => {
      const all = together.splice(0);
      parentPort?.once('message', (signatures: readonly Uint8Array[]) => {
        for (const [at, one] of all.entries()) one.resolve(signatures[at] ?? new Uint8Array());
      });
      tell({ asked: all.map((one) => one.asked) });
    });
  return new Promise((resolve) => together.push({ asked, resolve }));
}

const signerOf = (by: SignerName, said: Said): ApkSigner => ({
  certificates: said.certificates,
  algorithm: said.algorithm,
  sign: (digest, data) => ask({ by, digest, data: Uint8Array.from(data) }),
});

async function sign(work: SignWork, source: FileSource): Promise<void> {
  const sink = fileSink(work.to);
  const opened: FileSource[] = [];
  const written = () => {
    const again = fileSource(work.to);
    opened.push(again);
    return again;
  };
  const lineage = work.lineage && {
    proof: work.lineage.proof,
    oldest: work.lineage.oldest && signerOf('oldest', work.lineage.oldest),
  };
  try {
    await signZip(source, sink, written, { signer: signerOf('signer', work.signer), minSdk: work.minSdk, ...(lineage ? { lineage } : {}) });
  } finally {
    sink.close();
    for (const one of opened) one.close();
  }
}

async function answerTo(work: ApkWork, source: FileSource): Promise<ApkAnswer> {
  if (work.kind === 'sign') {
    await sign(work, source);
    return { signed: true };
  }
  return work.kind === 'read' ? { read: await readPackageFrom(source) } : { verdict: await verifyPackageFrom(source) };
}

/** Of the machine, not of the package: a full disk, a file that went. */
const isOfSystem = (error: unknown): error is Error => error instanceof Error && 'syscall' in error;

function reasonOf(error: unknown): ApkAnswer {
  if (error instanceof BrokenPackage) return { broken: error.rule };
  if (error instanceof WrongSignature) return { wrong: error.rule };
  return isOfSystem(error) ? { failed: error.message } : { broken: 'ARCHIVE_BROKEN' };
}

async function main(work: ApkWork): Promise<ApkAnswer> {
  const source = fileSource(work.path);
  try {
    return await answerTo(work, source);
  } finally {
    source.close();
  }
}

main(workerData as ApkWork)
  .catch(reasonOf)
  .then(tell);
