import type { Page, Request } from 'playwright-core';

/** A page that follows a busy fleet may never be silent: what a person sees decides then. */
const LONGEST_MS = 5000;

interface Traffic {
  asked: number;
  answered: number;
}
/** Of a worker's own script the browser doesn't always say that it came. */
const isHeard = (request: Request): boolean => !/\.worker-[^/]*\.js$/.test(request.url());
const traffic = new WeakMap<Page, Traffic>();

/** Counts from here on what a page asks for and what is answered. */
export function watchTraffic(page: Page): Traffic {
  const watched = traffic.get(page);
  if (watched) return watched;
  const count: Traffic = { asked: 0, answered: 0 };
  const end = (request: Request) => {
    if (isHeard(request)) count.answered += 1;
  };
  page.on('request', (request) => {
    if (isHeard(request)) count.asked += 1;
  });
  page.on('requestfinished', end);
  page.on('requestfailed', end);
  traffic.set(page, count);
  return count;
}

/** Long enough for the page to draw what it was answered, however slow the machine, and to ask for what that needs. */
const drawn = (page: Page): Promise<unknown> =>
  page
    .evaluate('new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(done, 50))))')
    // It was left meanwhile for another page, which is looked at next.
    .catch(() => undefined);

async function silent(page: Page): Promise<void> {
  const count = watchTraffic(page);
  const until = Date.now() + LONGEST_MS;
  let asked = -1;
  while (Date.now() < until && (count.asked !== asked || count.answered < count.asked)) {
    asked = count.asked;
    await drawn(page);
  }
}

/** The page has its heading, nothing on it is still being loaded, and it asks for nothing more. */
export async function settled(page: Page): Promise<void> {
  await page.locator('h1:visible, h2:visible').first().waitFor();
  await silent(page);
  await page.locator('[aria-busy=true]:visible').first().waitFor({ state: 'detached' });
}

/** Written as text: this file is read where no browser's types are, too. */
const bringAll = `(async () => {
  const visible = (selector) => [...document.querySelectorAll(selector)].find((one) => one.checkVisibility());
  const slot = visible('.m-slot');
  const stood = [slot?.scrollTop ?? 0, scrollY];
  let met = false;
  for (let one = visible('[data-unseen]'); one; one = visible('[data-unseen]')) {
    met = true;
    one.scrollIntoView({ block: 'center' });
    await new Promise(requestAnimationFrame);
  }
  slot?.scrollTo(0, stood[0]);
  scrollTo(0, stood[1]);
  return met;
})()`;

/** Charts and maps are drawn when they come into sight: each of them is brought there once, and the page stands as it stood. */
export async function allDrawn(page: Page): Promise<void> {
  if (await page.evaluate<boolean>(bringAll)) await settled(page);
}

type Theme = 'light' | 'dark';
/** The page follows its system: no reload. */
export async function inTheme(page: Page, theme: Theme): Promise<void> {
  await page.emulateMedia({ colorScheme: theme });
  await page.locator(`html[data-scheme=${theme}]`).waitFor({ state: 'attached' });
}

export async function turn(page: Page, theme: Theme, width: number): Promise<void> {
  await page.setViewportSize({ width, height: 900 });
  await inTheme(page, theme);
  await settled(page);
}
