import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

const AFTER_MS = 3000;

/**
 * A start leaves behind twice the memory that the running server needs: sources, declarations, the first pages of everything. The engine
 * would give it back when it runs short, which on a quiet server is never.
 */
export function letGoOfStart(): void {
  setTimeout(() => {
    setFlagsFromString('--expose-gc');
    (runInNewContext('gc') as () => void)();
  }, AFTER_MS).unref();
}

/**
 * The engine took the buffers of an upload for old objects and looked through all of memory after each 12 MB of it: 17 times for 200 MB, a third of
 * the server's work (measured: 5.9 s → 4.5 s, and 40 MB more at the most). They are counted as a part of the whole instead.
 */
export function sparePassingBuffers(): void {
  setFlagsFromString('--external-memory-accounted-in-global-limit');
}
