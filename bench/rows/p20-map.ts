import { launchBrowser } from '../../e2e/browser.ts';
import { startApp } from '../app.ts';
import { openEstate } from '../estate.ts';
import { alternate, median } from '../measure.ts';
import { arrive, drawn, mooringConsole, type Page } from '../person.ts';
import { atLeast, below, type Figure, type Row } from '../row.ts';
import { placed, whenPlaced } from './p17-lists.ts';

const MOVES = 24;
const MOVE_MS = 200;

/** Moved about and zoomed by keys as people do it: frames a second meanwhile. */
async function framesOf(page: Page): Promise<number> {
  const map = page.getByRole('application');
  await map.focus();
  await page.evaluate(() => {
    const counted = window as { drawnFrames?: number };
    counted.drawnFrames = 0;
    const count = () => {
      if (counted.drawnFrames === undefined) return;
      counted.drawnFrames += 1;
      requestAnimationFrame(count);
    };
    requestAnimationFrame(count);
  });
  const started = performance.now();
  for (let move = 0; move < MOVES; move += 1) {
    await page.keyboard.press(['ArrowRight', '+', 'ArrowDown', 'ArrowLeft', '-', 'ArrowUp'][move % 6] ?? '+');
    await page.waitForTimeout(MOVE_MS);
  }
  const seconds = (performance.now() - started) / 1000;
  const frames = await page.evaluate(() => {
    const counted = window as { drawnFrames?: number };
    const found = counted.drawnFrames ?? 0;
    delete counted.drawnFrames;
    return found;
  });
  return frames / seconds;
}

async function run(): Promise<readonly Figure[]> {
  const estate = await openEstate(1_000_000, [placed]);
  const app = await startApp({ DATABASE_URL: estate.url });
  const browser = await launchBrowser();
  try {
    await whenPlaced(estate);
    const map = {
      ...mooringConsole(app.url, await estate.session('platformAdmin', 1)),
      path: '/device/amap',
      // The map with its base, and what of its points is listed beside.
      rows: '.m-map[data-ready="true"], table tbody tr',
      least: 2,
    };
    const bare = { ...map, path: '/device/amap?text=none-has-this', rows: '.m-map[data-ready="true"]', least: 1 };
    const [a, b] = [await arrive(browser, map), await arrive(browser, bare)];
    const first = await alternate({ ours: () => drawn(a.page, map) });
    await drawn(b.page, bare);
    const frames = await alternate({
      million: () => a.page.bringToFront().then(() => framesOf(a.page)),
      none: () => b.page.bringToFront().then(() => framesOf(b.page)),
    });
    return [
      below('the map of 1,000,000 terminals drawn after a reload', median(first.ours) / 1000, 1.5, 's'),
      atLeast('frames while it is moved and zoomed, against the base map alone', median(frames.million), median(frames.none), 0.8, '/s'),
    ];
  } finally {
    await browser.close();
    await app.stop();
    await estate.stop();
  }
}

export const p20: Row = { id: 'P20', work: 'the map of 1,000,000 terminals in a browser', run };
