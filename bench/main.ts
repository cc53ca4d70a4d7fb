import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { cpus, release, totalmem } from 'node:os';
import { join } from 'node:path';
import { commandOf } from '../tools/suite/command.ts';
import { endChildren } from './processes.ts';
import type { Figure, Row } from './row.ts';
import { p1 } from './rows/p1-device-page.ts';
import { p2 } from './rows/p2-first-load.ts';
import { p3 } from './rows/p3-device-list.ts';
import { p4 } from './rows/p4-idle-memory.ts';
import { p5 } from './rows/p5-beats.ts';
import { p6 } from './rows/p6-command.ts';
import { p7 } from './rows/p7-rollout.ts';
import { p8 } from './rows/p8-firmware-bytes.ts';
import { p9, p10 } from './rows/p9-p10-sheets.ts';
import { p11 } from './rows/p11-sign-in.ts';
import { p12 } from './rows/p12-start-and-memory.ts';
import { p13 } from './rows/p13-upload.ts';
import { p14 } from './rows/p14-paging.ts';
import { p15 } from './rows/p15-differences.ts';
import { p16 } from './rows/p16-packages.ts';
import { p17 } from './rows/p17-lists.ts';
import { p18 } from './rows/p18-import.ts';
import { p19 } from './rows/p19-guarded-beats.ts';
import { p20 } from './rows/p20-map.ts';
import { p21 } from './rows/p21-app-differences.ts';
import { p22 } from './rows/p22-installed-apps.ts';
import { p23 } from './rows/p23-parameter-files.ts';

const rows: readonly Row[] = [p1, p2, p3, p4, p5, p6, p7, p8, p9, p10, p11, p12, p13, p14, p15, p16, p17, p18, p19, p20, p21, p22, p23];
const wanted = commandOf('bench').names.map((id) => id.toUpperCase());
const unknown = wanted.filter((id) => !rows.some((row) => row.id === id));
if (unknown.length > 0) {
  console.error(`No such row: ${unknown.join(', ')}. There are ${rows.map((row) => row.id).join(', ')}.`);
  process.exit(1);
}

const short = (value: number | undefined) => (value === undefined ? '' : value >= 100 ? value.toFixed(0) : value.toPrecision(3));
function print(row: Row, figures: readonly Figure[]): void {
  console.log(`\n${row.id}  ${row.work}`);
  for (const one of figures) {
    const verdict = one.holds === undefined ? '–' : one.holds ? 'holds' : 'MISSED';
    const anchor = one.anchor === undefined ? '' : `, anchor ${short(one.anchor)} ${one.unit}, ${short(one.ratio)}×`;
    console.log(`  ${verdict.padEnd(7)}${one.name}: ${short(one.ours)} ${one.unit}${anchor} (target ${one.target})`);
  }
}

interface Found {
  readonly work: string;
  readonly commit: string;
  readonly date: string;
  readonly machine: object;
  readonly figures: readonly Figure[];
}
const machine = {
  cpus: `${cpus().length} × ${cpus()[0]?.model ?? ''}`,
  memoryGb: Math.round(totalmem() / 1024 ** 3),
  kernel: release(),
  node: process.version,
};
const when = {
  commit: execFileSync('git', ['rev-parse', '--short', 'HEAD'], { encoding: 'utf8' }).trim(),
  date: new Date().toISOString().slice(0, 10),
  machine,
};
const file = join(import.meta.dirname, 'results.json');
/** Each row as it was measured last, and where. */
const kept = (): Record<string, Found> =>
  existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as { results: Record<string, Found> }).results : {};
// What it started would keep files and ports from the next run.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, () => void endChildren().then(() => process.exit(1)));

let missed = 0;
for (const row of rows.filter((one) => wanted.length === 0 || wanted.includes(one.id))) {
  const figures = await row.run();
  print(row, figures);
  missed += figures.filter((one) => one.holds === false).length;
  const found = { ...kept(), [row.id]: { work: row.work, ...when, figures } };
  const results = Object.fromEntries(rows.flatMap(({ id }) => (found[id] ? [[id, found[id]]] : [])));
  writeFileSync(file, `${JSON.stringify({ results }, null, 2)}\n`);
}
console.log(`\n${missed} missed`);
