import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, globSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { runChild } from '../../server/src/engines/rollout/differences/run-child.ts';
import { program } from '../anchors/program.ts';
import { alternate, median } from '../measure.ts';
import { atMost, type Figure, missing, type Row, reported } from '../row.ts';

const MB = 1024 * 1024;
/** Two frames; all of it, 400 MB, would take half an hour a round. */
const MOST = 36 * MB;
/** The short trial makes each once, without a warm-up. */
const ROUNDS = process.env.BENCH_SHORT ? 0 : 5;
const folder = join(import.meta.dirname, '../../.cache/bench/pairs');
const digest = (path: string) => createHash('sha256').update(readFileSync(path)).digest('hex');

interface Pair {
  readonly name: string;
  readonly base: string;
  readonly full: string;
}

/** The two newest kernels of one series that the archive has at once: of libraries it keeps only one version. */
function kernels(): [string, string] | undefined {
  const found = execFileSync('apt-cache', ['search', '--names-only', '^linux-image-6[.0-9]+-[0-9]+-amd64-unsigned$'], { encoding: 'utf8' });
  const names = found.split('\n').flatMap((line) => /^linux-image-(\S+)-unsigned /.exec(line)?.[1] ?? []);
  const [older, newer] = names.sort((a, b) => a.localeCompare(b, 'en', { numeric: true })).slice(-2);
  return older && newer ? [older, newer] : undefined;
}

/** What a package unpacks to, of its files those that match. */
function image(pack: string, files: string, as: string): string {
  const path = join(folder, as);
  if (existsSync(path)) return path;
  execFileSync('apt-get', ['download', pack], { cwd: folder, stdio: 'ignore' });
  const [file = ''] = globSync(`${pack}_*.deb`, { cwd: folder });
  const tar = execFileSync('sh', ['-c', `dpkg-deb --fsys-tarfile "$1" | tar -xO --wildcards "$2"`, 'sh', join(folder, file), files], {
    maxBuffer: 2048 * MB,
  });
  writeFileSync(path, tar.subarray(0, MOST));
  rmSync(join(folder, file));
  return path;
}

function pairs(): Pair[] {
  mkdirSync(folder, { recursive: true });
  const [older, newer] = kernels() ?? [];
  if (!older || !newer) return [];
  const of = (name: string, packOf: (kernel: string) => string, files: string): Pair => {
    const [base = '', full = ''] = [older, newer].map((kernel) => image(packOf(kernel), files, `${name}-${kernel}`));
    return { name: `${name} ${older} → ${newer}, ${Math.round(statSync(full).size / MB)} MB`, base, full };
  };
  const common = (kernel: string) => `linux-headers-${kernel.replace('-amd64', '')}-common`;
  return [
    of('kernel', (kernel) => `linux-image-${kernel}-unsigned`, './boot/*'),
    of('modules', (kernel) => `linux-image-${kernel}-unsigned`, './lib/modules/*.ko'),
    of('headers', common, './usr/src/*'),
  ];
}

async function measure({ name, base, full }: Pair, zstd: string): Promise<Figure[]> {
  const [ours, theirs] = [join(folder, 'ours'), join(folder, 'theirs')];
  const work = {
    form: 'image' as const,
    base,
    full,
    diff: ours,
    baseSha256: digest(base),
    fullSha256: digest(full),
    fullSize: statSync(full).size,
  };
  const never = new AbortController().signal;
  const inChild = async (act: 'make' | 'apply') => {
    const began = performance.now();
    const end = await runChild({ ...work, act }, never, () => {});
    if (!end || 'failed' in end) throw new Error(`${act}: ${end ? `${end.failed} ${end.message ?? ''}` : 'called off'}`);
    return performance.now() - began;
  };
  const anchor = async () => {
    const began = performance.now();
    // With the server's own patience: its child lets everybody else go first.
    execFileSync('nice', ['-n', '10', zstd, '-19', '-q', '-f', `--patch-from=${base}`, full, '-o', theirs], { stdio: 'ignore' });
    return performance.now() - began;
  };
  const took =
    ROUNDS > 0
      ? await alternate({ ours: () => inChild('make'), anchor }, ROUNDS)
      : { ours: [await inChild('make')], anchor: [await anchor()] };
  const [mine, other] = [statSync(ours).size, statSync(theirs).size];
  const seconds = (all: readonly number[]) => median(all) / 1000;
  return [
    atMost(`${name}: size`, mine, other, 1.05, 'bytes'),
    atMost(`${name}: time`, seconds(took.ours), seconds(took.anchor), 1.05, 's'),
    reported(`${name}: of the full image`, (mine / work.fullSize) * 100, '%'),
    reported(`${name}: tried out`, (await inChild('apply')) / 1000, 's'),
  ];
}

/** Differences made as the server makes them, in its child process, beside `zstd -19 --patch-from`. */
export const p15: Row = {
  id: 'P15',
  work: 'differences of three pairs of images from successive Debian kernels, the hashing of both included',
  async run() {
    const zstd = program('zstd');
    const found = program('apt-cache') && program('dpkg-deb') ? pairs() : [];
    if (!zstd || found.length === 0) return [missing('size and time', Number.NaN, 'bytes', 'zstd, or two kernels in the archive of apt')];
    const figures: Figure[] = [];
    for (const pair of found) figures.push(...(await measure(pair, zstd)));
    return figures;
  },
};
