import { mkdtempSync, rmSync } from 'node:fs';
import { open, rename } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { partSize } from '@mooring/contract/file/kinds';
import { paramBatchCalls } from '@mooring/contract/paramfile/calls';
import { upload } from '../../faults/upload.ts';
import { openConsole } from '../../faults/world/console.ts';
import { zipOf } from '../../server/test/zip.ts';
import { type BenchApp, startApp } from '../app.ts';
import { openEstate } from '../estate.ts';
import { median, secondsOf } from '../measure.ts';
import { type Figure, type Row, reported } from '../row.ts';

const FILES = 10_000;
const ROUNDS = 3;
const AT_ONCE = 8;

type Files = ReadonlyMap<string, string>;
/** Of a size as they have it: what a terminal needs to know of its acquirer. */
const filesOf = (round: number): Files =>
  new Map(
    Array.from({ length: FILES }, (_, n) => {
      const sn = `B${String(n + 1).padStart(10, '0')}`;
      return [
        sn,
        JSON.stringify({ round, sn, merchant: `M${n}`, lines: Array.from({ length: 20 }, (_line, at) => `${sn}-${at}-${round}`) }),
      ];
    }),
  );

/** Each on the disk for certain under its name, as a store keeps it; a few at a time. */
async function plainly(folder: string, files: Files): Promise<void> {
  const left = files.entries();
  const line = async () => {
    for (const [sn, text] of left) {
      const to = join(folder, sn);
      const file = await open(`${to}.new`, 'w');
      await file.writeFile(text);
      await file.sync();
      await file.close();
      await rename(`${to}.new`, to);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, line));
}

async function rounds(app: BenchApp, token: string): Promise<readonly { ours: number; check: number; plain: number }[]> {
  const console = openConsole(app.url, token);
  const found = [];
  for (let round = 0; round <= ROUNDS; round += 1) {
    const files = filesOf(round);
    const folder = mkdtempSync(join(tmpdir(), 'mooring-plain-'));
    const plain = await secondsOf(() => plainly(folder, files));
    rmSync(folder, { recursive: true });
    const zip = await zipOf(Object.fromEntries([...files].map(([sn, text]) => [`${sn}.json`, text])));
    const file = await upload({ console, partBytes: partSize('disk') }, `round-${round}.zip`, zip, { fileType: '9' });
    if (!file) throw new Error(console.wrong.join());
    const fileId = file.id;
    const check = await secondsOf(() => console.insist(paramBatchCalls.check, { fileId }));
    const ours = await secondsOf(async () => {
      const set = await console.insist(paramBatchCalls.add, { name: `Round ${round}`, fileId });
      if (set.files !== FILES) throw new Error(`${set.files} files`);
    });
    // The first warms up.
    if (round > 0) found.push({ ours, check, plain });
  }
  return found;
}

async function run(): Promise<readonly Figure[]> {
  const estate = await openEstate(FILES, [{ name: 'params', fresh: true }]);
  const app = await startApp({ DATABASE_URL: estate.url });
  try {
    const found = await rounds(app, await estate.session('platformAdmin', 1));
    const [ours, check, plain] = (['ours', 'check', 'plain'] as const).map((of) => median(found.map((one) => one[of])));
    return [
      reported('10,000 files kept, against plain writes of the same', ours ?? Number.NaN, 's', plain),
      reported('the check alone', check ?? Number.NaN, 's'),
    ];
  } finally {
    await app.stop();
    await estate.stop();
  }
}

export const p23: Row = { id: 'P23', work: '10,000 files of parameters out of one upload, each checked, stored and named in a row', run };
