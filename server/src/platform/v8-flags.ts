import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

const AFTER_MS = 15_000;
const KEEP_AFTER_MS = 30_000;

/**
 * What is still needed may be joined by twice as much before it is looked through, buffers included. Left to itself the engine takes a quiet
 * server for one that is short of memory and then looks through all of it every 17 MB that pass: twelve times in an upload of 200 MB.
 */
const GROWTH = ['--heap-growing-percent=200', '--external-memory-accounted-in-global-limit'];

/**
 * A start leaves behind twice the memory that the running server needs: sources, declarations, the first pages of everything. The engine
 * would give it back when it runs short, which on a quiet server is never.
 */
function letGoOfStart(): void {
  setTimeout(() => {
    setFlagsFromString('--expose-gc');
    (runInNewContext('gc') as () => void)();
  }, AFTER_MS).unref();
}

/**
 * After eight quiet seconds the engine throws compiled code away to save memory. What only the start needed may go; later it is what people
 * use, and the next second would take twice as long.
 */
function keepCode(): void {
  setTimeout(() => setFlagsFromString('--no-memory-reducer-favors-memory'), KEEP_AFTER_MS).unref();
}

/** How the engine of this process keeps its memory. */
export function setV8Flags(): void {
  for (const flag of GROWTH) setFlagsFromString(flag);
  letGoOfStart();
  keepCode();
}
