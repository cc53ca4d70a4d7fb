import { execFile, execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { copyFileSync, existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { makeApk } from '@mooring/apk/apk.factory';
import { program } from '../anchors/program.ts';
import { alternate, median } from '../measure.ts';
import { atMost, below, type Figure, missing, type Row, reported } from '../row.ts';

const MB = 1024 * 1024;
const folder = join(import.meta.dirname, '../../.cache/bench/packages');
const run = promisify(execFile);

/** What looks like code and pictures: half of it hardly packs. */
async function makePackage(megabytes: number): Promise<string> {
  mkdirSync(folder, { recursive: true });
  const path = join(folder, `unsigned-${megabytes}.apk`);
  if (existsSync(path)) return path;
  let state = Buffer.from('18 MB');
  const drawn = (bytes: number) => {
    const made = Buffer.alloc(bytes);
    for (let at = 0; at < bytes; at += 32) {
      state = createHash('sha256').update(state).digest();
      state.copy(made, at);
    }
    return made;
  };
  const files = Object.fromEntries(
    Array.from({ length: 2 * megabytes }, (_, at) => [`assets/${at}.bin`, Buffer.concat([drawn(MB / 2), Buffer.alloc(MB / 2, at)])]),
  );
  writeFileSync(path, await makeApk({ signers: [], files }));
  return path;
}

interface Measured {
  readonly took: number;
  readonly added: number;
  readonly whole: number;
}

async function ours(kind: 'sign' | 'verify', from: string, to = ''): Promise<Measured> {
  const child = join(import.meta.dirname, '../fleet/apk-process.ts');
  const { stdout } = await run(process.execPath, [child, kind, from, to]);
  return JSON.parse(stdout);
}

/** A program of its own: its memory is all that it takes. */
async function theirs(...args: readonly string[]): Promise<Measured> {
  const began = performance.now();
  const { stderr } = await run('/usr/bin/time', ['-f', '@%M', 'apksigner', ...args]);
  const bytes = Number(/@(\d+)/.exec(stderr)?.[1]) * 1024;
  return { took: performance.now() - began, added: bytes, whole: bytes };
}

function keyStore(): string {
  const path = join(folder, 'till.p12');
  const of = ['-storepass', 'not secret', '-alias', 'till', '-keyalg', 'RSA', '-keysize', '2048', '-dname', 'CN=Till'];
  if (!existsSync(path)) execFileSync('keytool', ['-genkeypair', '-keystore', path, ...of], { stdio: 'ignore' });
  return path;
}

async function compare(work: string, us: () => Promise<Measured>, them: () => Promise<Measured>): Promise<readonly Figure[]> {
  const [mine, its]: [Measured[], Measured[]] = [[], []];
  const kept = async (all: Measured[], act: () => Promise<Measured>) => {
    const one = await act();
    all.push(one);
    return one.took;
  };
  const took = await alternate({ us: () => kept(mine, us), them: () => kept(its, them) });
  const middle = (all: readonly Measured[], of: 'added' | 'whole') => median(all.map((one) => one[of])) / MB;
  return [
    atMost(`18 MB ${work}, in a process that runs already`, median(took.us), median(took.them), 0.5, 'ms'),
    atMost(`memory that it adds, ${work}`, middle(mine, 'added'), middle(its, 'added'), 0.6, 'MB'),
    reported(`memory of the whole process, ${work}`, middle(mine, 'whole'), 'MB', middle(its, 'whole')),
  ];
}

const MOST_MB = 200;
/** However large it is, it is never in memory. */
async function large(): Promise<readonly Figure[]> {
  const signed = join(folder, 'signed-large.apk');
  const unsigned = await makePackage(1024);
  const figures = (work: string, { took, added, whole }: Measured) => [
    below(`memory that it adds, 1 GB ${work}`, added / MB, MOST_MB, 'MB'),
    reported(`memory of the whole process, 1 GB ${work}`, whole / MB, 'MB'),
    reported(`1 GB ${work}`, took / 1000, 's'),
  ];
  const signing = await ours('sign', unsigned, signed);
  return [...figures('signed', signing), ...figures('verified', await ours('verify', signed))];
}

async function measured(): Promise<readonly Figure[]> {
  if (!program('apksigner') || !existsSync('/usr/bin/time')) return [missing('18 MB verified', Number.NaN, 'ms', 'apksigner, time')];
  const unsigned = await makePackage(18);
  const [signed, again] = [join(folder, 'signed.apk'), join(folder, 'again.apk')];
  const signing = await compare(
    'signed',
    () => ours('sign', unsigned, signed),
    async () => {
      copyFileSync(unsigned, again);
      return theirs('sign', '--ks', keyStore(), '--ks-pass', 'pass:not secret', again);
    },
  );
  return [
    ...(await compare(
      'verified',
      () => ours('verify', signed),
      () => theirs('verify', signed),
    )),
    ...signing,
    ...(await large()),
  ];
}

export const p16: Row = { id: 'P16', work: 'an Android package of 18 MB verified, and signed by v1, v2 and v3', run: measured };
