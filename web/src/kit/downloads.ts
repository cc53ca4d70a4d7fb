import type { Call } from '@mooring/contract/kit/call';
import { saveFile } from '../ui/save-file.ts';
import { createStore } from '../ui/store.ts';
import { toast } from '../ui/toast.tsx';
import { messageOf, sendProven } from './client.ts';
import { isCallError, readEnvelope } from './outcome.ts';

/** Download status of specification section 4, and its fields of section 3. */
export type DownloadStatus = 'pending' | 'downloading' | 'completed' | 'failed' | 'cancelled';
export interface DownloadTask {
  readonly fid: number;
  readonly fileName: string;
  /** Bytes; 0 until the server has told. */
  readonly fileSize: number;
  readonly downloadStatus: DownloadStatus;
  /** Share from 0 to 1; none while the size isn't known. */
  readonly downloadProgress: number | undefined;
  /** Seconds. */
  readonly remainingTime: number | undefined;
  readonly message?: string | undefined;
}

interface Order {
  readonly call: Call;
  readonly input: unknown;
  readonly stop: AbortController;
}

const AT_ONCE = 3;
export const downloadTasks = createStore<readonly DownloadTask[]>([]);
const orders = new Map<number, Order>();
let next = 1;

const put = (fid: number, part: Partial<DownloadTask>) =>
  downloadTasks.set((now) => now.map((task) => (task.fid === fid ? { ...task, ...part } : task)));
const find = (fid: number) => downloadTasks.get().find((task) => task.fid === fid);

/** `attachment; filename*=UTF-8''a%20b.csv`, else the plain form, else what was asked for. */
export function fileNameOf(disposition: string | null, fallback: string): string {
  const star = /filename\*=UTF-8''([^;]+)/i.exec(disposition ?? '')?.[1];
  const plain = /filename="?([^";]+)"?/i.exec(disposition ?? '')?.[1];
  try {
    return star ? decodeURIComponent(star) : (plain ?? fallback);
  } catch {
    return plain ?? fallback;
  }
}

async function fetchOne(fid: number, { call, input, stop }: Order): Promise<void> {
  const answer = await sendProven(call, input, { signal: stop.signal });
  const type = answer.headers.get('content-type') ?? '';
  if (!answer.ok || (type.includes('application/json') && !answer.headers.get('content-disposition')))
    return fail(fid, await answer.text());
  const size = Number(answer.headers.get('content-length') ?? 0);
  const name = fileNameOf(answer.headers.get('content-disposition'), find(fid)?.fileName ?? 'download');
  put(fid, { fileName: name, fileSize: size });
  const parts: BlobPart[] = [];
  const began = performance.now();
  let got = 0;
  const reader = answer.body?.getReader();
  for (let read = await reader?.read(); read && !read.done; read = await reader?.read()) {
    parts.push(read.value);
    got += read.value.length;
    const share = size > 0 ? got / size : undefined;
    put(fid, { downloadProgress: share, remainingTime: share ? ((performance.now() - began) / 1000) * (1 / share - 1) : undefined });
  }
  const blob = new Blob(parts, { type });
  // What calls itself a file may still be an error in JSON (specification, section 5).
  if (blob.size < 64 * 1024 && (await looksLikeError(blob))) return fail(fid, await blob.text());
  saveFile(blob, name);
  put(fid, { downloadStatus: 'completed', downloadProgress: 1, remainingTime: 0, fileSize: blob.size });
}

async function looksLikeError(blob: Blob): Promise<boolean> {
  try {
    return 'error' in readEnvelope(JSON.parse(await blob.text()));
  } catch {
    return false;
  }
}

/** The file is dropped, its message shown, the task removed. */
function fail(fid: number, text: string): void {
  let message = '';
  try {
    const read = readEnvelope(JSON.parse(text));
    if ('error' in read) message = messageOf(read.error);
  } catch {
    message = messageOf(undefined);
  }
  toast('error', message || messageOf(undefined));
  orders.delete(fid);
  downloadTasks.set((now) => now.filter((task) => task.fid !== fid));
}

function pump(): void {
  const tasks = downloadTasks.get();
  const free = AT_ONCE - tasks.filter((task) => task.downloadStatus === 'downloading').length;
  for (const { fid } of tasks.filter((task) => task.downloadStatus === 'pending').slice(0, Math.max(0, free))) {
    const order = orders.get(fid);
    if (!order) continue;
    put(fid, { downloadStatus: 'downloading' });
    fetchOne(fid, order)
      .catch((error: unknown) =>
        put(
          fid,
          order.stop.signal.aborted || (isCallError(error) && error.cancelled)
            ? { downloadStatus: 'cancelled' }
            : { downloadStatus: 'failed', message: messageOf(error) },
        ),
      )
      .finally(pump);
  }
}

/** Downloads what a binary call answers: three at once, with progress, to be cancelled and tried again. */
export function download(call: Call, input: unknown, fileName: string): void {
  const fid = next++;
  orders.set(fid, { call, input, stop: new AbortController() });
  downloadTasks.set((now) => [
    ...now,
    { fid, fileName, fileSize: 0, downloadStatus: 'pending', downloadProgress: undefined, remainingTime: undefined },
  ]);
  pump();
}

export function cancelDownload(fid: number): void {
  orders.get(fid)?.stop.abort();
  if (find(fid)?.downloadStatus === 'pending') put(fid, { downloadStatus: 'cancelled' });
}

export function retryDownload(fid: number): void {
  const order = orders.get(fid);
  if (!order) return;
  orders.set(fid, { ...order, stop: new AbortController() });
  put(fid, { downloadStatus: 'pending', message: undefined, downloadProgress: undefined });
  pump();
}

export const clearDownloads = (): void =>
  downloadTasks.set((now) => now.filter((task) => task.downloadStatus === 'pending' || task.downloadStatus === 'downloading'));
