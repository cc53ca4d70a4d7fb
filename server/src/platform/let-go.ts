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
