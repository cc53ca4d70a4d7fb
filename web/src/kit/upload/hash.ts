interface Answer {
  readonly id: number;
  readonly md5?: string;
  readonly share?: number;
  readonly error?: string;
}
interface Waiting {
  readonly done: (md5: string) => void;
  readonly fail: (error: Error) => void;
  readonly tell: ((share: number) => void) | undefined;
}

let worker: Worker | undefined;
let next = 1;
const waiting = new Map<number, Waiting>();

function open(): Worker {
  if (worker) return worker;
  worker = new Worker(new URL('./hash.worker.ts', import.meta.url), { type: 'module' });
  worker.onmessage = ({ data }: MessageEvent<Answer>) => {
    const asked = waiting.get(data.id);
    if (!asked) return;
    if (data.share !== undefined) return asked.tell?.(data.share);
    waiting.delete(data.id);
    if (data.md5) asked.done(data.md5);
    else asked.fail(new Error(data.error ?? 'not hashed'));
  };
  worker.onerror = () => {
    for (const asked of waiting.values()) asked.fail(new Error('not hashed'));
    waiting.clear();
    worker = undefined;
  };
  return worker;
}

/** MD5 of a file or a part of one, computed in a worker. */
export const md5Of = (blob: Blob, tell?: (share: number) => void): Promise<string> =>
  new Promise((done, fail) => {
    const id = next++;
    waiting.set(id, { done, fail, tell });
    open().postMessage({ id, blob, tell: tell !== undefined });
  });
