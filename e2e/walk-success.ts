import { allCalls } from '@mooring/contract/index';
import type { Page, Response } from 'playwright-core';

/** Saves that nobody is told of: what they change isn't what a success speaks of. */
const quiet = new Set(['/form/individuation/config/save']);
const changes = allCalls
  .filter(({ reads, path }) => !reads && !quiet.has(path))
  .map(({ path, method }) => ({ method, path: new RegExp(`/ops${path.replaceAll(/\{\w+\}/g, '[^/]+')}$`) }));
const isChange = (answer: Response) =>
  changes.some(({ method, path }) => method === answer.request().method() && path.test(new URL(answer.url()).pathname));
/** A preview says what would be done. */
const isPreview = (answer: Response) => /"preview":true/.test(answer.request().postData() ?? '');

/** Under these names answers say how many it were. */
const counts = ['changed', 'done', 'started', 'files', 'count'] as const;
function hasChanged(body: unknown): boolean {
  const said = Object.entries(body !== null && typeof body === 'object' ? body : {});
  if (said.some(([name, value]) => name === 'work' && value !== null)) return true;
  const numbers = said.flatMap(([name, value]) => (counts.includes(name as never) && typeof value === 'number' ? [value] : []));
  return numbers.length === 0 || numbers.some((one) => one > 0);
}

/** So long after a change its success may still be told. */
const LATELY_MS = 10_000;

/** A success that is told though no call has changed anything that wasn't told yet is wrong. Two may be told together, and while the page is left. */
export async function watchSuccesses(page: Page, wrong: string[]): Promise<void> {
  /** When something was changed on this page, of which no success told yet. */
  let changes: number[] = [];
  let reading: Promise<unknown>[] = [];
  page.on('response', (answer) => {
    if (!isChange(answer) || isPreview(answer)) return;
    const here = changes;
    const came = Date.now();
    const read = answer.json().then(
      ({ code, body }: { code?: number; body?: unknown }) => {
        if (Number(code) === 200 && hasChanged(body)) here.push(came);
      },
      () => {
        // Where the page was left meanwhile the browser has its body no more.
        if (answer.ok()) here.push(came);
      },
    );
    reading.push(read);
  });
  page.on('domcontentloaded', () => {
    changes = [];
    reading = [];
  });
  page.on('console', async (line) => {
    const [, told] = /^success: (.*)$/s.exec(line.text()) ?? [];
    if (told === undefined) return;
    const here = changes;
    // By when it was told: reading the answers takes its time on a busy machine.
    const at = Date.now();
    await Promise.all(reading);
    while ((here[0] ?? at) < at - LATELY_MS) here.shift();
    if (here.shift() === undefined) wrong.push(`says “${told}”, and no call has changed anything`);
  });
  await page.addInitScript(`
    new MutationObserver((all) => {
      for (const { addedNodes } of all)
        for (const node of addedNodes)
          if (node.matches?.('.m-toast-done')) console.debug('success: ' + node.textContent);
    }).observe(document, { subtree: true, childList: true });
  `);
}
