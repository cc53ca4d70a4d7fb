import type { launchBrowser } from '../e2e/browser.ts';

type Browser = Awaited<ReturnType<typeof launchBrowser>>;
type BrowserContext = Awaited<ReturnType<Browser['newContext']>>;
export type Page = Awaited<ReturnType<BrowserContext['newPage']>>;

/** How someone who has signed in stands before a console: their keys, the address of the device list, and what of it has to stand there. */
export interface Console {
  readonly url: string;
  readonly path: string;
  readonly rows: string;
  /** So many of them make the page usable. */
  readonly least: number;
  enter(context: BrowserContext): Promise<void>;
}

interface Watched {
  drawn?: number;
}

/** A browser with nothing in its cache, already signed in. */
export async function arrive(browser: Browser, of: Console): Promise<{ context: BrowserContext; page: Page }> {
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 } });
  context.setDefaultTimeout(60_000);
  await of.enter(context);
  const page = await context.newPage();
  // The moment when the rows stand there and were painted, said by the page itself.
  await page.addInitScript(
    ({ rows, least }) => {
      const watched = window as Watched;
      const watch = new MutationObserver(() => {
        if (document.querySelectorAll(rows).length < least) return;
        watch.disconnect();
        requestAnimationFrame(() =>
          setTimeout(() => {
            watched.drawn = performance.now();
          }),
        );
      });
      watch.observe(document, { childList: true, subtree: true, attributeFilter: ['data-ready'] });
    },
    { rows: of.rows, least: of.least },
  );
  return { context, page };
}

/** Milliseconds from navigation until the rows were drawn. */
export async function drawn(page: Page, of: Console, path = of.path): Promise<number> {
  await page.goto(of.url + path, { waitUntil: 'commit' });
  await page.waitForFunction(() => (window as Watched).drawn !== undefined);
  return (await page.evaluate(() => (window as Watched).drawn)) ?? Number.NaN;
}

/** Our own device list for the holder of a session. */
export const mooringConsole = (url: string, token: string): Console => ({
  url,
  path: '/device/device',
  rows: '.m-table tbody tr[aria-rowindex] a[href]',
  least: 10,
  async enter(context) {
    await context.addInitScript((kept) => {
      localStorage.setItem('mooring.platform', 'centre');
      localStorage.setItem('mooring.lang', 'en');
      localStorage.setItem('mooring.token.centre', kept);
    }, token);
  },
});
