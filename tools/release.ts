import { spawnSync } from 'node:child_process';
import { createHash, sign } from 'node:crypto';
import { cpSync, createReadStream, existsSync, globSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { restoreLinks } from '@mooring/server/platform/embedded-postgres/binaries';
import { npm, writeStamp } from './setup/install.mjs';
import { versionFault } from './setup/release-version.ts';
import { tryRelease } from './setup/try-release.ts';
import { writeSbom } from './setup/write-sbom.ts';
import { root } from './suite/processes.ts';

// A folder that starts without npm and without a network: sources, built console, production dependencies, Node itself.
const project = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version: string; workspaces: string[] };
const { version } = project;
const read = (path: string) => readFileSync(join(root, path), 'utf8');
const last = (JSON.parse(read('database/last-release.json')) as { version: string }).version;
const wrong = versionFault(version, last, read('CHANGELOG.md'));
if (wrong !== undefined) {
  console.error(wrong);
  process.exit(1);
}
const name = `mooring-${version}`;
const folder = join(root, 'release', name);
const archive = join(root, 'release', `${name}-${process.platform}-${process.arch}.tar.gz`);

const whole = ['contract', 'database', 'apk', 'server', 'terminal', 'tools', 'web', 'docs', 'packaging'];
const single = ['package.json', 'package-lock.json', '.npmrc', 'README.md', 'CHANGELOG.md', 'LICENSE'];
// What the running server and its tools import; the console is built already.
const workspaces = ['contract', 'database', 'apk', 'server', 'terminal', 'tools'];

const isReleased = (path: string) =>
  basename(path) !== 'node_modules' && !/\.test\.tsx?$/.test(path) && !path.startsWith(join(root, 'server', 'test'));

rmSync(folder, { recursive: true, force: true });
mkdirSync(folder, { recursive: true });
// npm reads every workspace's own list, also of those that are not taken along.
const lists = project.workspaces.filter((one) => !whole.includes(one)).map((one) => join(one, 'package.json'));
for (const part of [...whole, ...single, ...lists]) {
  if (existsSync(join(root, part))) cpSync(join(root, part), join(folder, part), { recursive: true, filter: isReleased });
}
const chosen = workspaces.flatMap((workspace) => ['--workspace', workspace]);
const code = await npm(
  ['ci', '--omit=dev', '--ignore-scripts', '--no-audit', '--no-fund', '--prefer-offline', '--include-workspace-root', ...chosen],
  folder,
);
if (code !== 0) throw new Error(`npm could not install the dependencies of the release (exit code ${code}).`);
// The release may lie where its user can't write.
for (const database of globSync('node_modules/@embedded-postgres/*', { cwd: folder })) restoreLinks(join(folder, database));
// A compiler that nothing runs: types are stripped as the sources are read.
for (const one of ['typescript', '@typescript']) rmSync(join(folder, 'node_modules', one), { recursive: true, force: true });
writeStamp(join(folder, 'node_modules', '.mooring-installed'));
await writeSbom(join(folder, 'sbom.cdx.json'));
const packed = spawnSync('tar', ['-czf', archive, '-C', join(root, 'release'), name], { stdio: 'inherit' });
if (packed.status !== 0) throw new Error('tar could not write the archive.');
rmSync(folder, { recursive: true });
const { unpackedMb, startedMs } = await tryRelease(archive, name);
// Whoever has the key signs the sum: openssl pkeyutl -verify -rawin -pubin -inkey release.pub -in ….sha256 -sigfile ….sha256.sig
const hash = createHash('sha256');
for await (const chunk of createReadStream(archive)) hash.update(chunk as Buffer);
const sum = `${hash.digest('hex')}  ${basename(archive)}\n`;
writeFileSync(`${archive}.sha256`, sum);
const { RELEASE_KEY } = process.env;
if (RELEASE_KEY) writeFileSync(`${archive}.sha256.sig`, sign(null, Buffer.from(sum), readFileSync(RELEASE_KEY)));
const mb = Math.round(statSync(archive).size / 1024 ** 2);
console.log(`${archive} (${mb} MB, unpacked ${unpackedMb} MB); tried: its first start took ${(startedMs / 1000).toFixed(1)} s.`);
if (!RELEASE_KEY)
  console.error(
    `\nWARNING: this release is UNSIGNED. Nobody can tell it from one that somebody else made.\nSet RELEASE_KEY to the file of an Ed25519 key (PEM), and make it again before it is given to anybody.`,
  );
