import { launchBrowser } from '../../e2e/browser.ts';
import { meshCentral } from '../anchors/meshcentral.ts';
import { startApp } from '../app.ts';
import { openEstate } from '../estate.ts';
import { alternate, median, quantile } from '../measure.ts';
import { arrive, type Console, drawn, mooringConsole, type Page } from '../person.ts';
import { atMost, below, type Figure, missing, type Row, reported } from '../row.ts';
import { startWire } from '../wire.ts';

const DEVICES = 10_000;
/** Ten rows a frame: some 24,000 pixels a second, the scroll bar pulled from end to end. */
const SCROLL_FRAMES = DEVICES / 10;
/** Everything of the cap on one page. */
const ALL = `?size=${DEVICES}`;

/** From the first row to the last, a step each frame: how long the frames took, and the most elements that stood there. */
const scroll = (page: Page, frame: string) =>
  page.evaluate(
    ({ frame, frames }) =>
      new Promise<{ took: number[]; nodes: number }>((done) => {
        const box = document.querySelector(frame);
        if (!box) throw new Error(`no ${frame}`);
        const took: number[] = [];
        let nodes = 0;
        let before = performance.now();
        let at = 0;
        const step = () => {
          const now = performance.now();
          took.push(now - before);
          before = now;
          if (at % 10 === 0) nodes = Math.max(nodes, document.querySelectorAll('*').length);
          if (at === frames) return done({ took, nodes });
          at += 1;
          box.scrollTop = (at / frames) * (box.scrollHeight - box.clientHeight);
          requestAnimationFrame(step);
        };
        requestAnimationFrame(step);
      }),
    { frame, frames: SCROLL_FRAMES },
  );

async function run(): Promise<readonly Figure[]> {
  const estate = await openEstate(1_000_000);
  const app = await startApp({ DATABASE_URL: estate.url });
  const home = await meshCentral(DEVICES);
  const mesh = await home?.start();
  const browser = await launchBrowser();
  try {
    const some = mooringConsole(app.url, await estate.session('orgManager', 100_001));
    const million = mooringConsole(app.url, await estate.session('platformAdmin', 1));
    /** What a reload takes over the wire: the cache is warm. */
    const cost = async (of: Console) => {
      const wire = await startWire(of.url);
      const { context, page } = await arrive(browser, of);
      const through = { ...of, url: wire.url };
      await drawn(page, through);
      await page.waitForLoadState('networkidle');
      wire.taken();
      await drawn(page, through);
      await page.waitForLoadState('networkidle');
      const bytes = wire.taken() / 1024;
      await context.close();
      await wire.stop();
      return bytes;
    };
    const [own, theirs] = [await cost(some), mesh ? await cost(mesh.console) : Number.NaN];

    const [a, b, c] = [await arrive(browser, some), await arrive(browser, million), mesh && (await arrive(browser, mesh.console))];
    const found = await alternate({
      some: () => drawn(a.page, some),
      million: () => drawn(b.page, million),
      mesh: async () => (mesh && c ? drawn(c.page, mesh.console) : Number.NaN),
    });

    const all = await alternate({ ours: () => drawn(a.page, some, some.path + ALL) }, 3);
    const rows = Number(await a.page.locator('.m-table').first().getAttribute('aria-rowcount')) - 1;
    if (rows !== DEVICES) throw new Error(`${rows} rows instead of ${DEVICES}`);
    const scrolled = await scroll(a.page, '.m-table-frame');
    const meshScrolled = mesh && c ? await scroll(c.page, '#xdevices') : undefined;
    const time = median(found.some);
    return [
      ...(mesh
        ? [
            atMost('data of a reload, 10,000 in scope', own, theirs, 0.05, 'KB'),
            atMost('reload until drawn, 10,000 in scope', time, median(found.mesh), 0.6, 'ms'),
          ]
        : [
            missing('data of a reload, 10,000 in scope', own, 'KB', 'MeshCentral 1.1.55'),
            missing('reload until drawn, 10,000 in scope', time, 'ms', 'MeshCentral 1.1.55'),
          ]),
      atMost('reload until drawn, 1,000,000 in scope against 10,000', median(found.million), time, 1.2, 'ms'),
      reported('reload until drawn with all 10,000 on one page', median(all.ours), 'ms', median(found.mesh)),
      below('elements at most while 10,000 rows are scrolled', scrolled.nodes, 3000, 'elements'),
      below('frames while 10,000 rows are scrolled, p95', quantile(scrolled.took, 0.95), 34, 'ms'),
      ...(meshScrolled
        ? [
            reported('elements of MeshCentral', meshScrolled.nodes, 'elements'),
            reported('frames of MeshCentral, p95', quantile(meshScrolled.took, 0.95), 'ms'),
          ]
        : []),
    ];
  } finally {
    await browser.close();
    await mesh?.stop();
    home?.remove();
    await app.stop();
    await estate.stop();
  }
}

export const p3: Row = { id: 'P3', work: 'the device list after a reload, then 10,000 rows scrolled', run };
