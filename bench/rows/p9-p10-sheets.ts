import { execFile } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { npmAnchor } from '../anchors/npm-anchor.ts';
import { alternate, median } from '../measure.ts';
import { atMost, type Figure, missing, type Row } from '../row.ts';

const ROWS = 100_000;
const MB = 1024 * 1024;
const folder = join(import.meta.dirname, '../../.cache/bench/sheets');
const child = join(import.meta.dirname, '../fleet/sheet-process.ts');
const run = promisify(execFile);

interface Measured {
  readonly took: number;
  readonly memory: number;
}
type Work = 'read' | 'write';

async function compared(work: Work, most: { readonly time: number; readonly memory: number }): Promise<readonly Figure[]> {
  mkdirSync(folder, { recursive: true });
  const anchor = await npmAnchor('exceljs');
  const file = (name: string) => join(folder, `${name}.xlsx`);
  const act = async (whose: 'ours' | 'theirs', at: string): Promise<Measured> => {
    const { stdout } = await run(process.execPath, [child, whose, work, at, String(ROWS), anchor ?? '']);
    return JSON.parse(stdout);
  };
  // Both read what ours wrote.
  if (work === 'read') await run(process.execPath, [child, 'ours', 'write', file('read'), String(ROWS)]);
  const all = { ours: [] as Measured[], theirs: [] as Measured[] };
  const kept = (whose: 'ours' | 'theirs') => async () => {
    const one = await act(whose, file(work === 'read' ? 'read' : whose));
    all[whose].push(one);
    return one.took;
  };
  const words = `100,000 × 8 cells ${work === 'read' ? 'read from' : 'written to'} XLSX`;
  if (anchor === undefined) return [missing(words, (await act('ours', file('ours'))).took / 1000, 's', 'exceljs')];
  const took = await alternate({ ours: kept('ours'), theirs: kept('theirs') });
  const memory = (whose: 'ours' | 'theirs') => median(all[whose].slice(1).map((one) => one.memory)) / MB;
  return [
    atMost(words, median(took.ours) / 1000, median(took.theirs) / 1000, most.time, 's'),
    atMost(`${words}, memory of the process at most`, memory('ours'), memory('theirs'), most.memory, 'MB'),
  ];
}

export const p9: Row = { id: 'P9', work: 'a sheet of 100,000 rows read', run: () => compared('read', { time: 0.4, memory: 0.5 }) };
export const p10: Row = { id: 'P10', work: 'a sheet of 100,000 rows written', run: () => compared('write', { time: 0.8, memory: 0.7 }) };
