import { setTimeout as sleep } from 'node:timers/promises';

/** Asks until it is so. What is waited for is named in the failure. */
export async function waitFor<T>(ask: () => T | Promise<T>, what: string, seconds: number): Promise<NonNullable<T>> {
  const until = performance.now() + seconds * 1000;
  for (;;) {
    const found = await Promise.resolve(ask()).catch(() => undefined);
    if (found) return found as NonNullable<T>;
    if (performance.now() > until) throw new Error(`waited ${seconds} s for ${what}`);
    await sleep(200);
  }
}
