import { Worker } from 'node:worker_threads';
import type { DigestOf } from './digest-thread.ts';

const entry = new URL('./digest-thread.ts', import.meta.url);

/** Digest of a file, hexadecimal, made in a thread: gigabytes keep no call waiting. */
const digestOf = (of: DigestOf): Promise<string> =>
  new Promise((resolve, reject) => {
    const thread = new Worker(entry, { workerData: of, name: `${of.algorithm} of a file` });
    thread.once('message', resolve);
    thread.once('error', reject);
    thread.once('exit', () => reject(new Error(`no ${of.algorithm}`)));
  });

/** The digests that a stored file has, made side by side. */
export async function hashFile(path: string): Promise<{ readonly sha256: string; readonly md5: string }> {
  const [sha256, md5] = await Promise.all([digestOf({ path, algorithm: 'sha256' }), digestOf({ path, algorithm: 'md5' })]);
  return { sha256, md5 };
}
