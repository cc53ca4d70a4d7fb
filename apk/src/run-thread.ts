import { stat } from 'node:fs/promises';
import { Worker } from 'node:worker_threads';
import { Fault } from '@mooring/contract/kit/fault';
import type { ApkAnswer, ApkWork, Asked } from './apk.thread.ts';

const entry = new URL('./apk.thread.ts', import.meta.url);
const HEAP_MB = 192;
/** What is read is thrown away at once: a small nursery collects it sooner. */
const YOUNG_MB = 8;
const AT_ONCE = 4;
const SECONDS = 20;
/** A slow disk reads so much, and unpacks it too. */
const BYTES_A_SECOND = 10 * 1024 * 1024;

type Answer = Exclude<ApkAnswer, { readonly asked: readonly Asked[] }>;
type Sign = (asked: readonly Asked[]) => Promise<readonly Uint8Array[]>;

let running = 0;
const waiting: (() => void)[] = [];

/** Some at a time: each has a thread and its memory. */
async function inTurn<T>(act: () => Promise<T>): Promise<T> {
  if (running >= AT_ONCE) await new Promise<void>((resolve) => waiting.push(resolve));
  else running += 1;
  try {
    return await act();
  } finally {
    const next = waiting.shift();
    if (next) next();
    else running -= 1;
  }
}

/** Carries out what is to be done with a package, in a thread with limits of its own; `sign` makes the signatures that it asks for. */
export const runThread = (work: ApkWork, sign?: Sign): Promise<Answer> =>
  inTurn(async () => {
    const { size } = await stat(work.path);
    const answer = await settled(work, SECONDS + size / BYTES_A_SECOND, sign);
    if ('broken' in answer) throw new Fault('PACKAGE_UNREADABLE', { params: { rule: answer.broken } });
    if ('wrong' in answer) throw new Fault('SIGNATURE_MISMATCH', { params: { rule: answer.wrong } });
    if ('failed' in answer) throw new Error(answer.failed);
    return answer;
  });

function settled(work: ApkWork, seconds: number, sign?: Sign): Promise<Answer> {
  const resourceLimits = { maxOldGenerationSizeMb: HEAP_MB, maxYoungGenerationSizeMb: YOUNG_MB };
  const thread = new Worker(entry, { workerData: work, name: 'package', resourceLimits });
  return new Promise<Answer>((resolve, reject) => {
    const late = sign ? undefined : setTimeout(() => resolve({ broken: 'TOO_SLOW' }), seconds * 1000);
    thread.on('message', (answer: ApkAnswer) => {
      if (!('asked' in answer)) resolve(answer);
      else if (sign) sign(answer.asked).then((signatures) => thread.postMessage(signatures), reject);
    });
    // What needs more memory than any package.
    thread.on('error', () => resolve({ broken: 'ARCHIVE_LARGE' }));
    thread.on('exit', () => {
      clearTimeout(late);
      resolve({ broken: 'ARCHIVE_LARGE' });
    });
  }).finally(() => thread.terminate());
}
