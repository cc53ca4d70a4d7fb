import { randomUUID } from 'node:crypto';
import { createReadStream, createWriteStream, mkdirSync } from 'node:fs';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import type { DifferenceReason } from '@mooring/contract/engines/rollout/difference-calls';
import { verifications } from '@mooring/contract/engines/rollout/difference-calls';
import { quotaFaults } from '@mooring/contract/file/calls';
import { Fault } from '@mooring/contract/kit/fault';
import type { AppContext } from '../../../platform/app-context.ts';
import { move } from '../../../platform/db/move.ts';
import { hasRoom } from '../../../platform/files/free-disk.ts';
import { holdBlob } from '../../../platform/files/lock-blob.ts';
import { type DifferenceRow, differenceRows, formOf, isWorth } from './difference-queries.ts';
import { endStep, giveBack, leasedRow, stillWanted, takeNext } from './lease.ts';
import { type ChildEnd, runChild } from './run-child.ts';
import type { DifferenceSource } from './source.ts';
import type { Bytes } from './tools.ts';

const LOOK_MS = 1000;
/** A package unpacked is some times as large. */
const UNPACKED = 3;
const noSpace: readonly string[] = ['ENOSPC', 'EDQUOT', 'EFBIG'];

interface Step {
  readonly app: AppContext;
  readonly bytes: Bytes;
  readonly source: DifferenceSource;
  readonly row: DifferenceRow;
  readonly lease: string;
  readonly folder: string;
  readonly signal: AbortSignal;
  readonly progress: { percent: number };
}

/** A blob as a file; what is wrong with it is said by its digest. */
async function fetchBlob({ bytes, folder }: Step, name: string, sha256: string): Promise<string> {
  const path = join(folder, name);
  await pipeline(await bytes.store.read(sha256), createWriteStream(path));
  return path;
}

async function inChild(step: Step, act: 'make' | 'apply'): Promise<ChildEnd | undefined> {
  const { bytes, row, folder, signal } = step;
  const base = { sha256: row.base_sha256, size: row.base_size };
  const form = formOf(row);
  const missing = async (sha256: string) => (await bytes.store.size(sha256)) === undefined;
  if (await missing(base.sha256)) return { failed: 'baseDamaged' };
  if (act === 'make' && (await missing(row.full_sha256))) return { failed: 'fullDamaged' };
  if (act === 'apply' && (await missing(row.sha256 ?? ''))) return { failed: 'broken', message: 'its file is gone' };
  // Its base and what comes of it, and to make it the full package and the stored difference, which may be as large; of unpacked ones what they unpack to.
  const room =
    base.size +
    row.full_size * (act === 'make' ? 3 : 1) +
    (act === 'make' && form === 'entries' ? UNPACKED * (base.size + row.full_size) : 0);
  if (!(await hasRoom(folder, room))) return { failed: 'noSpace' };
  const of = {
    act,
    form,
    base: await fetchBlob(step, 'base', base.sha256),
    full: act === 'make' ? await fetchBlob(step, 'full', row.full_sha256) : '',
    diff: act === 'apply' ? await fetchBlob(step, 'diff', row.sha256 ?? '') : join(folder, 'diff'),
    baseSha256: base.sha256,
    fullSha256: row.full_sha256,
    fullSize: row.full_size,
  };
  return runChild(of, signal, (percent) => {
    step.progress.percent = percent;
  });
}

/** Keeps the lease while a step lasts, its copying and storing too, and calls it off when it isn't wanted any more. */
async function held<T>(step: Omit<Step, 'progress'>, work: (step: Step) => Promise<T>): Promise<T> {
  const { app, source, row, lease, signal } = step;
  const off = new AbortController();
  const progress = { percent: row.percent };
  const look = () =>
    void stillWanted(app, source, row, lease, progress.percent).then(
      (wanted) => wanted || off.abort(),
      () => undefined,
    );
  const looking = setInterval(look, LOOK_MS);
  try {
    return await work({ ...step, progress, signal: AbortSignal.any([signal, off.signal]) });
  } finally {
    clearInterval(looking);
  }
}

async function make(step: Step): Promise<boolean> {
  const { app, bytes, source, row, folder } = step;
  const began = performance.now();
  const end = await inChild(step, 'make');
  if (!end) return false;
  if ('failed' in end) return failed(step, 'fail', end.failed, end.message);
  const seconds = (performance.now() - began) / 1000;
  const path = join(folder, 'diff');
  const stored = await bytes.store.put(createReadStream(path));
  const set = { sha256: stored.sha256, size: stored.size, frames: end.frames, seconds, percent: 100, reason: null, made_at: app.now() };
  const named = () =>
    app.unscoped(async (db) => {
      await holdBlob(db, bytes.store, stored.sha256);
      const isKept = await endStep(app, db, source, step, 'made', set);
      if (!isKept && row.sha256 !== stored.sha256) await bytes.drop(db, stored.sha256);
      return isKept;
    });
  try {
    return await bytes.keep({ userId: row.created_by, path: row.dept_path }, stored, named);
  } catch (error) {
    if (error instanceof Fault && quotaFaults.includes(error.fault)) return failed(step, 'fail', 'quota');
    throw error;
  }
}

/** Answers false where it can't be tried now: that the disk is full says nothing of what was made. */
async function verify(step: Step): Promise<boolean> {
  const { app, bytes, source, row } = step;
  const end = await inChild(step, 'apply');
  if (!end) return true;
  if ('failed' in end && end.failed === 'noSpace') return false;
  if ('failed' in end) await failed(step, 'refute', end.failed, end.message);
  else
    await app.unscoped(async (db) => {
      const by = row.tried_for ?? row.created_by;
      // What is never offered needs no bytes; how large it was is told all the same.
      const set = { verification: verifications.good, reason: null, ...(isWorth(row) ? {} : { sha256: null }) };
      if (!(await endStep(app, db, source, step, 'verify', set))) return;
      if (!isWorth(row)) await bytes.drop(db, row.sha256 ?? '');
      else if (row.enable_at_once && (await bytes.mayStill(db, by, source.can, row.dept_id)))
        await move(db, differenceRows, 'enable', [row.id], { actorId: by });
    });
  return true;
}

async function failed(step: Omit<Step, 'progress'>, event: 'fail' | 'refute', reason: DifferenceReason, message?: string): Promise<false> {
  const { app, source, row } = step;
  app.log.warn({ difference: row.id, reason, message }, 'a difference could not be made');
  const verification = event === 'refute' ? verifications.wrong : verifications.none;
  await app.unscoped((db) => endStep(app, db, source, step, event, { verification, reason }));
  return false;
}

/** What a server that was killed left; only who holds the lease is here. */
async function emptied(folder: string): Promise<string> {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  for (const name of await readdir(folder)) await rm(join(folder, name), { recursive: true, force: true });
  return mkdtemp(join(folder, 'd-'));
}

/** Makes the next difference that waits, and tries it. Answers whether there was one that could be gone on with. Doing it again after a kill begins its step anew. */
export async function carryOutNext(
  app: AppContext,
  bytes: Bytes,
  sources: readonly DifferenceSource[],
  signal: AbortSignal,
): Promise<boolean> {
  const lease = randomUUID();
  const taken = await takeNext(app, lease);
  const source = sources.find((one) => one.content === taken?.content);
  if (!taken || !source) return false;
  const row = await leasedRow(app, source, taken.id);
  if (!row) return true;
  const folder = await emptied(join(app.config.DATA_DIR, 'differences'));
  const step = { app, bytes, source, row, lease, folder, signal };
  const stepNow = async (state: string) => {
    const now = await leasedRow(app, source, taken.id);
    return now?.state === state ? { ...step, row: now } : undefined;
  };
  let noRoom = false;
  try {
    if (row.state === 'generating') await held(step, make);
    const made = await stepNow('made');
    noRoom = made !== undefined && !(await held(made, verify));
  } catch (error) {
    const reason = noSpace.includes((error as NodeJS.ErrnoException).code ?? '') ? 'noSpace' : 'broken';
    const message = String((error as Error).message);
    const isMade = (await stepNow('made')) !== undefined;
    noRoom = isMade && reason === 'noSpace';
    if (!noRoom) await failed(step, isMade ? 'refute' : 'fail', reason, message);
  } finally {
    await rm(folder, { recursive: true, force: true });
    if (signal.aborted || noRoom) await giveBack(app, row.id, lease);
  }
  if (noRoom) app.log.warn({ difference: row.id }, 'a difference waits for room on the disk to be tried');
  return !noRoom;
}
