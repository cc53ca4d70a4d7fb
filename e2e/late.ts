import type { Browser, BrowserContext, Route } from 'playwright-core';

/** The longest that an answer is kept back, in milliseconds: what a page does meanwhile is seen on a slow line or a busy machine only. */
const LATEST_MS = Number(process.env.JOURNEY_LATE ?? 0);
/** What hangs is told sooner than on a machine that others use too. */
export const PATIENCE_MS = LATEST_MS > 0 ? 40_000 : 180_000;

/** The same waits in each run with one seed, as far as the same is asked. */
function randomOf(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state * 1_664_525 + 1_013_904_223) % 2 ** 32;
    return state / 2 ** 32;
  };
}
const random = randomOf(Number(process.env.JOURNEY_SEED ?? 1));
const wait = () => new Promise((resolve) => setTimeout(resolve, random() * LATEST_MS));

/** It was asked at once and is answered late: what it says may have been overtaken meanwhile. Files have a pace of their own. */
async function keepBack(route: Route): Promise<void> {
  const type = (await route.request().headerValue('content-type')) ?? 'application/json';
  if (!type.includes('json')) return route.fallback();
  const answer = await route.fetch({ maxRedirects: 0 }).catch(() => undefined);
  await wait();
  // The page may have gone meanwhile, or asks no more.
  await (answer ? route.fulfill({ response: answer }) : route.abort('connectionreset')).catch(() => undefined);
}

async function late(context: BrowserContext): Promise<BrowserContext> {
  await context.route('**/ops/**', keepBack);
  await context.routeWebSocket('**/ops/live', (page) => {
    const server = page.connectToServer();
    // Late, but in their order, and the end of the line comes last.
    let last: Promise<unknown> = Promise.resolve();
    const after = (act: () => unknown) => {
      last = Promise.all([wait(), last]).then(act);
    };
    server.onMessage((message) => after(() => page.send(message)));
    server.onClose((code, reason) => after(() => page.close({ code, reason }).catch(() => undefined)));
  });
  return context;
}

/** With JOURNEY_LATE, every answer comes late to each page of this browser. */
export function lateAnswers(browser: Browser): Browser {
  if (LATEST_MS === 0) return browser;
  const open = browser.newContext.bind(browser);
  browser.newContext = async (options) => late(await open(options));
  return browser;
}
