import { Worker } from 'node:worker_threads';
import { inTurn, inTurnOfOwner } from '../in-turn.ts';
import type { PdfDocument } from './document.ts';

const entry = new URL('./pdf.thread.ts', import.meta.url);
const SECONDS = 30;
const HEAP_MB = 256;
const ofAll = inTurn({ atOnce: 2, queue: 20 });
const ofPerson = inTurnOfOwner({ atOnce: 1, queue: 2 });

/** Its library and fonts take 30 MB and its lines time: both are the thread's, and gone with it. */
async function inThread(document: PdfDocument): Promise<Uint8Array> {
  const thread = new Worker(entry, { workerData: document, name: 'pdf', resourceLimits: { maxOldGenerationSizeMb: HEAP_MB } });
  let timer: NodeJS.Timeout | undefined;
  try {
    return await new Promise<Uint8Array>((resolve, reject) => {
      timer = setTimeout(() => reject(new Error('a document took too long')), SECONDS * 1000);
      thread.once('message', resolve).once('error', reject);
      thread.once('exit', () => reject(new Error('a document was not drawn')));
    });
  } finally {
    clearTimeout(timer);
    void thread.terminate();
  }
}

/** A document as PDF, in the turn of whoever asks for it; what takes time to gather is gathered then. Fault: TOO_MANY. */
export const drawPdf = (userId: number, of: PdfDocument | (() => Promise<PdfDocument>)): Promise<Buffer> =>
  ofPerson(userId, async () => {
    const done = await ofAll();
    const drawn = async () => inThread(typeof of === 'function' ? await of() : of);
    const bytes = await drawn().finally(done);
    return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  });
