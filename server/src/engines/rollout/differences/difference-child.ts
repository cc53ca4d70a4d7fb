import { createHash } from 'node:crypto';
import { open } from 'node:fs/promises';
import { setPriority } from 'node:os';
import type { DifferenceForm, DifferenceReason } from '@mooring/contract/engines/rollout/difference-calls';
import { applyDifference, LEVEL, makeDifference, openBytes } from './make-difference.ts';
import { unpackForm } from './unpack-form.ts';

/** What it is to do, by the paths of its files. */
export interface DifferenceWork {
  readonly act: 'make' | 'apply';
  readonly form: DifferenceForm;
  readonly base: string;
  readonly full: string;
  readonly diff: string;
  readonly baseSha256: string;
  readonly fullSha256: string;
  readonly fullSize: number;
}
export type DifferenceSaid =
  | { readonly percent: number }
  | { readonly done: { readonly frames: number } }
  | { readonly failed: DifferenceReason; readonly message?: string };

/** The tables of one frame take 800 MB; their length is bounded, whatever the images. */
const MOST_MEMORY = 1.25 * 1024 ** 3;
const WATCH_MS = 100;
/** Everybody else goes first. */
const PRIORITY = 10;
const BLOCK = 1024 * 1024;

class Wrong extends Error {
  readonly reason: DifferenceReason;
  constructor(reason: DifferenceReason) {
    super(reason);
    this.reason = reason;
  }
}
const noSpace: readonly string[] = ['ENOSPC', 'EDQUOT', 'EFBIG'];
const noMemory: readonly string[] = ['ENOMEM', 'ERR_MEMORY_ALLOCATION_FAILED'];
const reasonOf = (error: unknown): DifferenceReason => {
  if (error instanceof Wrong) return error.reason;
  const { code = '' } = error as NodeJS.ErrnoException;
  return noSpace.includes(code) ? 'noSpace' : noMemory.includes(code) ? 'memory' : 'broken';
};

const say = (said: DifferenceSaid) => new Promise<void>((resolve) => process.send?.(said, undefined, undefined, () => resolve()));
const end = (said: DifferenceSaid) => void say(said).then(() => process.exit());

async function hashed(path: string): Promise<string> {
  const bytes = await openBytes(path);
  const hash = createHash('sha256');
  for (let at = 0; at < bytes.size; at += BLOCK) hash.update(await bytes.read(at, BLOCK));
  await bytes.close();
  return hash.digest('hex');
}

async function make({ form, base, full, diff, baseSha256, fullSha256 }: DifferenceWork): Promise<DifferenceSaid> {
  if ((await hashed(base)) !== baseSha256) throw new Wrong('baseDamaged');
  if ((await hashed(full)) !== fullSha256) throw new Wrong('fullDamaged');
  const unpacked = form === 'entries' ? await unpackForm(base, full) : { head: new Uint8Array(0), level: LEVEL };
  if (!unpacked) throw new Wrong('entriesOther');
  const { head, level } = unpacked;
  const [from, to, out] = [await openBytes(base), await openBytes(full), await open(diff, 'w')];
  const write = async (bytes: Uint8Array, at: number) => {
    for (let done = 0; done < bytes.length; ) {
      const { bytesWritten } = await out.write(bytes, done, bytes.length - done, at + done);
      done += bytesWritten;
    }
  };
  await write(head, 0);
  const frames = await makeDifference(from, to, {
    level,
    write: (bytes, at) => write(bytes, head.length + at),
    onProgress: (share) => void say({ percent: Math.floor(share * 100) }),
  });
  await out.close();
  return { done: { frames } };
}

/** As a terminal does it, whichever form. */
async function apply({ base, diff, baseSha256, fullSha256, fullSize }: DifferenceWork): Promise<DifferenceSaid> {
  if ((await hashed(base)) !== baseSha256) throw new Wrong('baseDamaged');
  const hash = createHash('sha256');
  try {
    for await (const piece of applyDifference(await openBytes(base), await openBytes(diff), fullSize)) hash.update(piece);
  } catch (error) {
    throw reasonOf(error) === 'memory' ? error : new Wrong('resultWrong');
  }
  if (hash.digest('hex') !== fullSha256) throw new Wrong('resultWrong');
  return { done: { frames: 0 } };
}

// Nobody waits for what a server that is gone asked for.
process.on('disconnect', () => process.exit());
process.once('message', (work: DifferenceWork) => {
  setPriority(PRIORITY);
  setInterval(() => process.memoryUsage.rss() > MOST_MEMORY && end({ failed: 'memory' }), WATCH_MS);
  (work.act === 'make' ? make(work) : apply(work)).then(end, (error: unknown) =>
    end({ failed: reasonOf(error), message: String((error as Error).message) }),
  );
});
