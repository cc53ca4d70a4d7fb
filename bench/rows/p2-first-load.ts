import { launchBrowser } from '../../e2e/browser.ts';
import { meshCentral } from '../anchors/meshcentral.ts';
import { startApp } from '../app.ts';
import { openEstate } from '../estate.ts';
import { alternate, median } from '../measure.ts';
import { arrive, type Console, drawn, mooringConsole } from '../person.ts';
import { atMost, below, type Figure, missing, type Row } from '../row.ts';
import { startWire } from '../wire.ts';

/** MeshCentral draws all that it has: as many as one of our pages shows. */
const DEVICES = 10;

async function run(): Promise<readonly Figure[]> {
  const estate = await openEstate(1_000_000);
  const app = await startApp({ DATABASE_URL: estate.url });
  const home = await meshCentral(DEVICES);
  const mesh = await home?.start();
  const browser = await launchBrowser();
  try {
    const ours = mooringConsole(app.url, await estate.session('orgManager', 100_777));
    const time = async (of: Console) => {
      const { context, page } = await arrive(browser, of);
      const ms = await drawn(page, of);
      await context.close();
      return ms;
    };
    /** What one load takes over the wire, until nothing more comes. */
    const cost = async (of: Console) => {
      const wire = await startWire(of.url);
      const { context, page } = await arrive(browser, of);
      let requests = 0;
      page.on('request', (request) => {
        if (!request.url().startsWith('data:') && !request.url().startsWith('blob:')) requests += 1;
      });
      page.on('websocket', () => {
        requests += 1;
      });
      wire.taken();
      await drawn(page, { ...of, url: wire.url });
      await page.waitForLoadState('networkidle');
      await context.close();
      const bytes = wire.taken() / 1024;
      await wire.stop();
      return { bytes, requests };
    };
    const own = await cost(ours);
    if (!mesh) {
      await time(ours);
      return [
        below('requests', own.requests, 25, 'requests'),
        missing('bytes', own.bytes, 'KB', 'MeshCentral 1.1.55'),
        missing('until the device list is drawn', await time(ours), 'ms', 'MeshCentral 1.1.55'),
      ];
    }
    const theirs = await cost(mesh.console);
    const found = await alternate({ ours: () => time(ours), mesh: () => time(mesh.console) }, 7);
    return [
      atMost(`bytes on the wire (MeshCentral in ${theirs.requests} requests)`, own.bytes, theirs.bytes, 0.12, 'KB'),
      below('requests', own.requests, 25, 'requests'),
      atMost('until the device list is drawn', median(found.ours), median(found.mesh), 0.8, 'ms'),
    ];
  } finally {
    await browser.close();
    await mesh?.stop();
    home?.remove();
    await app.stop();
    await estate.stop();
  }
}

export const p2: Row = { id: 'P2', work: 'first load after signing in, cold cache, in Chromium', run };
