import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { meshCentral } from '../anchors/meshcentral.ts';
import { ask, startApp } from '../app.ts';
import { alternate, median } from '../measure.ts';
import { memoryOf, treeOf } from '../processes.ts';
import { atMost, type Figure, missing, type Row } from '../row.ts';

/** What a start leaves behind is let go in this time, and connections that nobody uses are closed. */
const IDLE_MS = 40_000;
const RESTS = 2;
const idle = () => new Promise((done) => setTimeout(done, IDLE_MS));

async function run(): Promise<readonly Figure[]> {
  const dataDir = mkdtempSync(join(tmpdir(), 'mooring-bench-start-'));
  const home = await meshCentral(0);
  try {
    const memory: { ours: number[]; mesh: number[] } = { ours: [], mesh: [] };
    // The first round is the first start, which makes the database and is left out.
    const ours = async (rest = false) => {
      const app = await startApp({}, dataDir);
      const page = performance.now();
      const { body } = await ask(`${app.url}/login`);
      if (!body.includes('id="root"')) throw new Error('no sign-in page');
      const took = app.startMs + performance.now() - page;
      if (rest) {
        await idle();
        memory.ours.push(memoryOf(treeOf(app.pid)));
      }
      await app.stop();
      return took;
    };
    const theirs = async (rest = false) => {
      const mesh = await home?.start();
      if (!mesh) return Number.NaN;
      if (rest) {
        await idle();
        memory.mesh.push(memoryOf(treeOf(mesh.pid)));
      }
      await mesh.stop();
      return mesh.startMs;
    };
    const found = await alternate({ ours: () => ours(), mesh: () => theirs() });
    for (let n = 0; n < RESTS; n += 1) {
      await ours(true);
      await theirs(true);
    }
    const [start, resting] = [median(found.ours), median(memory.ours)];
    if (!home)
      return [
        missing('second start until the sign-in page', start, 'ms', 'MeshCentral 1.1.55'),
        missing('memory of all processes at rest', resting, 'MB', 'MeshCentral 1.1.55'),
      ];
    return [
      atMost('second start until the sign-in page', start, median(found.mesh), 1, 'ms'),
      atMost('memory of all processes at rest, PostgreSQL included', resting, median(memory.mesh), 1, 'MB'),
    ];
  } finally {
    home?.remove();
    rmSync(dataDir, { recursive: true, force: true });
  }
}

export const p12: Row = { id: 'P12', work: 'second start until the sign-in page, and memory at rest', run };
