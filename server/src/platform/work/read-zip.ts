import { Worker } from 'node:worker_threads';
import type { Listed, ZipAnswer, ZipLimits, ZipOf, ZipReason } from './zip.thread.ts';

const entry = new URL('./zip.thread.ts', import.meta.url);
const SECONDS = 30;
const HEAP_MB = 256;

/** One file of an archive. Its name is only ever read, never a path that anything is written to. */
export interface Packed extends Listed {
  read(): Promise<Buffer>;
}
export interface Archive {
  readonly files: readonly Packed[];
  close(): void;
}

/**
 * The files of an archive that people uploaded: listed, and unpacked one by one, in a thread with limits of its own. `wrong` makes the error of what is
 * wrong with it.
 */
export async function openArchive(bytes: Uint8Array, limits: ZipLimits, wrong: (reason: ZipReason) => Error): Promise<Archive> {
  const workerData: ZipOf = { bytes, limits };
  const thread = new Worker(entry, { workerData, name: 'archive', resourceLimits: { maxOldGenerationSizeMb: HEAP_MB } });
  const waiting = new Map<number, (answer: ZipAnswer) => void>();
  const all = (answer: ZipAnswer) => {
    for (const settle of waiting.values()) settle(answer);
    waiting.clear();
  };
  thread.on('error', () => all({ reason: 'BROKEN' }));
  thread.on('exit', () => all({ reason: 'BROKEN' }));
  thread.on('message', (answer: ZipAnswer) => {
    const at = 'at' in answer && answer.at !== undefined ? answer.at : LIST;
    waiting.get(at)?.(answer);
    waiting.delete(at);
  });
  const answerTo = async (at: number): Promise<ZipAnswer> => {
    let timer: NodeJS.Timeout | undefined;
    const answer = await new Promise<ZipAnswer>((resolve) => {
      waiting.set(at, resolve);
      timer = setTimeout(() => resolve({ reason: 'TOO_LARGE' }), SECONDS * 1000);
      if (at !== LIST) thread.postMessage(at);
    });
    clearTimeout(timer);
    if ('reason' in answer) throw wrong(answer.reason);
    return answer;
  };
  const close = () => void thread.terminate();
  try {
    const list = await answerTo(LIST);
    const listed = 'files' in list ? list.files : [];
    const read = async (at: number) => {
      const answer = await answerTo(at);
      return Buffer.from('bytes' in answer ? answer.bytes : []);
    };
    return { files: listed.map((one, at) => ({ ...one, read: () => read(at) })), close };
  } catch (error) {
    close();
    throw error;
  }
}
const LIST = -1;
