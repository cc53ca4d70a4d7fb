import { fileCalls, type UploadedFile } from '@mooring/contract/file/calls';
import { partSize } from '@mooring/contract/file/kinds';
import { settingCalls } from '@mooring/contract/settings/calls';
import { api } from '../client.ts';
import { callError, isCallError } from '../outcome.ts';
import { queryClient } from '../queries.ts';
import { formOf } from './form-of.ts';
import { digestsOf, openWorker, postPart, sha256Of } from './in-worker.ts';
import { atMost, oneByOne } from './limit.ts';

/** Specification, section 9. */
const PARTS_AT_ONCE = 3;
const RETRIES = 3;
const RETRY_MS = 1000;
/** The server answers when it knows, or within a second. */
const CHECK_MS = 250;

/** A file by the digest of its content, and the parts that it is sent in. */
export interface Content {
  readonly file: File;
  readonly identifier: string;
  readonly partBytes: number;
  readonly partDigests: readonly Promise<string>[];
}
export interface Transfer extends Content {
  readonly fileType: string;
  readonly signal: AbortSignal;
  /** Bytes that have arrived. */
  readonly tell: (sent: number) => void;
}

const pause = (ms: number, signal: AbortSignal) =>
  new Promise<void>((resolve, reject) => {
    const timer = setTimeout(resolve, ms);
    signal.addEventListener('abort', () => {
      clearTimeout(timer);
      reject(callError({ cancelled: true }));
    });
  });

const informal = () => ({ requestUrl: location.pathname, time: Date.now() });

async function sendDirect({ file, identifier, fileType, signal, tell }: Transfer): Promise<UploadedFile> {
  const form = formOf({ type: fileType, identifier, ...informal() }, file, file.name);
  const stored = await api(fileCalls.direct, {}, { hidden: true, signal, form });
  tell(file.size);
  return stored;
}

/** How the parts of one upload go: all at once as the specification has it; on a line that didn't carry them in time one at a time. */
interface Lanes {
  isNarrow: boolean;
  readonly inTurn: ReturnType<typeof oneByOne>;
}

/** Three more tries after a second each, where another try can help; then the file fails. */
async function sendPart(transfer: Transfer, part: number, lanes: Lanes): Promise<number> {
  const { file, identifier, fileType, signal, partBytes, partDigests } = transfer;
  const bytes = file.slice((part - 1) * partBytes, part * partBytes);
  const req = {
    identifier,
    partNumber: part,
    curPartSize: bytes.size,
    totalPartSize: partDigests.length,
    md5: await partDigests[part - 1],
    fileName: file.name,
    size: file.size,
    fileType,
    ...informal(),
  };
  const send = () => api(fileCalls.uploadPart, {}, { hidden: true, signal, via: postPart({ req, bytes, name: file.name }) });
  for (let tries = 0; ; tries += 1) {
    try {
      await (tries === 0 ? send() : lanes.inTurn(send));
      return bytes.size;
    } catch (error) {
      const final = isCallError(error) && (error.cancelled || [400, 401, 403, 404].includes(error.code)) && error.fault !== 'HASH_MISMATCH';
      if (final || tries >= RETRIES) throw error;
      if (isCallError(error) && error.transport) lanes.isNarrow = true;
      await pause(RETRY_MS, signal);
    }
  }
}

async function waitForEnd({ identifier, fileType, signal }: Transfer): Promise<UploadedFile> {
  for (;;) {
    const now = await api(fileCalls.transferCheck, { identifier, fileType }, { hidden: true, signal }).catch((error: unknown) => {
      // The server may be restarting: what it assembles goes on by itself.
      if (isCallError(error) && (error.transport || error.code === 503)) return undefined;
      throw error;
    });
    if (now?.state === 'done' && now.uploadfileDTO) return now.uploadfileDTO;
    if (now && now.state !== 'assembling') throw callError({ code: 400, fault: now.reason ?? undefined, message: now.message ?? '' });
    await pause(CHECK_MS, signal);
  }
}

async function sendParts(transfer: Transfer): Promise<UploadedFile> {
  const { file, identifier, fileType, signal, tell, partBytes, partDigests } = transfer;
  const about = { identifier, fileName: file.name, size: file.size, fileType, totalPartSize: partDigests.length };
  const begin = (sha256?: string) =>
    api(fileCalls.initMultipartUpload, { ...about, ...(sha256 ? { sha256 } : {}), ...informal() }, { hidden: true, signal });
  let begun = await begin();
  // What is here has the same MD5: whether it is the same is told by its SHA-256, which nobody else waits for.
  const sha256 = begun.known !== null || begun.partList.length > 0 ? await sha256Of(file) : undefined;
  if (begun.known !== null && begun.known === sha256) begun = await begin(sha256);
  if (begun.uploadfileDTO) return begun.uploadfileDTO;
  const here = new Set(begun.partList.map((part) => part.partNumber));
  const missing = partDigests.map((_, at) => at + 1).filter((part) => !here.has(part));
  let sent = Math.min(file.size, here.size * partBytes);
  tell(sent);
  const lanes: Lanes = { isNarrow: false, inTurn: oneByOne() };
  await atMost(
    () => (lanes.isNarrow ? 1 : PARTS_AT_ONCE),
    missing,
    async (part) => {
      const bytes = await sendPart(transfer, part, lanes);
      sent += bytes;
      tell(sent);
    },
  );
  await api(fileCalls.transferUpload, { identifier, fileType, ...(sha256 ? { sha256 } : {}) }, { hidden: true, signal });
  return waitForEnd(transfer);
}

/** What the store of this installation wants a part to be. */
async function partBytesHere(): Promise<number> {
  const config = await queryClient.fetchQuery({
    queryKey: [settingCalls.projectConfig.group, settingCalls.projectConfig.name],
    queryFn: () => api(settingCalls.projectConfig, {}, { hidden: true }),
    staleTime: Number.POSITIVE_INFINITY,
  });
  return partSize(config.fileSource);
}

/** Hashes a file: what it is, and its parts. */
export async function contentOf(file: File, tell: (share: number) => void): Promise<Content> {
  const partBytes = await partBytesHere();
  const { whole, parts } = await digestsOf(file, partBytes, tell);
  return { file, identifier: whole, partBytes, partDigests: parts };
}

/** What an upload needs before its first byte, for a page that offers one. */
export function prepareUpload(): void {
  openWorker();
  partBytesHere().catch(() => {});
}

/** Uploads a hashed file: in one call below the limit, in parts above; only parts that aren't here yet are sent. */
export const transfer = (of: Transfer): Promise<UploadedFile> => (of.file.size < of.partBytes ? sendDirect(of) : sendParts(of));

export const cancelTransfer = (identifier: string, fileType: string): Promise<unknown> =>
  api(fileCalls.cancelUpload, { identifier, fileType }, { hidden: true }).catch(() => undefined);
