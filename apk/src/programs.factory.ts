import { execFile, execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

const has = (program: string): boolean => {
  try {
    execFileSync('sh', ['-c', `PATH=$PATH:/usr/sbin command -v ${program}`], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
};
export const missingPrograms = (...programs: string[]): string[] => programs.filter((one) => !has(one));

/** Test data: what Android's own programs say of a package. */
const run = promisify(execFile);
// Java reads names of files as the language of the machine has them, and a bare one has none.
const env = { ...process.env, LC_ALL: 'C.UTF-8', JAVA_TOOL_OPTIONS: '-XX:+UseSerialGC -XX:TieredStopAtLevel=1' };
const options = { maxBuffer: 64 * 1024 * 1024, env };

/** What a program writes, whether it likes what it was given or not. */
async function said(program: string, ...args: readonly string[]): Promise<{ ok: boolean; text: string }> {
  try {
    const { stdout, stderr } = await run(program, args, options);
    return { ok: true, text: `${stdout}\n${stderr}` };
  } catch (error) {
    const text = error instanceof Error && 'stdout' in error && 'stderr' in error ? `${error.stdout}\n${error.stderr}` : String(error);
    return { ok: false, text };
  }
}

export interface Verified {
  readonly ok: boolean;
  readonly schemes: readonly string[];
  readonly sha256: string | undefined;
  readonly text: string;
}

export async function apksignerSays(path: string): Promise<Verified> {
  const { ok, text } = await said('apksigner', 'verify', '-v', '--print-certs', path);
  return {
    ok: ok && !text.includes('DOES NOT VERIFY'),
    schemes: ['v1', 'v2', 'v3'].filter((one) => new RegExp(`Verified using ${one} scheme[^\\n]*: true`).test(text)),
    sha256: /Signer #1 certificate SHA-256 digest: (\w+)/.exec(text)?.[1],
    text,
  };
}

/** SHA-256 of the certificates of a rotation, from the oldest on, as Android's own tool reads it out of a package. */
export async function lineageSays(path: string): Promise<string[]> {
  const { text } = await said('apksigner', 'lineage', '--in', path, '--print-certs');
  return [...text.matchAll(/certificate SHA-256 digest: ([0-9a-f]{64})/gi)].map(([, sha256]) => (sha256 ?? '').toLowerCase());
}

/** Debian's `apksigner` brings it along. */
const APKSIG = '/usr/share/java/apksig.jar';

/** What Android's own verifier says of each, in one machine: to start one takes longer than to read ten packages. */
export async function verifierSays(paths: readonly string[]): Promise<ReadonlyMap<string, Verified>> {
  const { stdout } = await run('java', ['-cp', APKSIG, join(import.meta.dirname, 'VerifyAll.java'), ...paths], options);
  const lines = stdout.trimEnd().split('\n');
  return new Map(
    paths.map((path, at) => {
      const [ok, schemes = '', sha256, text = ''] = lines[at]?.split('\t') ?? [];
      return [path, { ok: ok === 'true', schemes: schemes.split(',').filter(Boolean), sha256: sha256 || undefined, text }];
    }),
  );
}

export interface Badging {
  readonly packageName: string;
  readonly versionCode: number;
  readonly versionName: string;
  readonly minSdk: number;
  readonly targetSdk: number;
  readonly permissions: readonly string[];
  readonly label: string | undefined;
  readonly labels: Readonly<Record<string, string>>;
  readonly debuggable: boolean;
  readonly hasIcon: boolean;
}

export async function aaptSays(path: string): Promise<Badging> {
  const { text } = await said('aapt', 'dump', 'badging', path);
  const one = (pattern: RegExp) => pattern.exec(text)?.[1];
  const minSdk = Number(one(/^sdkVersion:'(\d+)'/m) ?? 1);
  const implied = new Set(
    [...text.matchAll(/^ {2}uses-implied-permission: name='(.*?)'/gm), ...text.matchAll(/^uses-implied-permission: name='(.*?)'/gm)].map(
      ([, name]) => name,
    ),
  );
  const permissions = [...text.matchAll(/^uses-permission(?:-sdk-23)?: name='(.*?)'/gm)].map(([, name = '']) => name);
  return {
    packageName: one(/^package: name='(.*?)'/m) ?? '',
    versionCode: Number(one(/ versionCode='(\d*)'/) ?? 0),
    versionName: one(/ versionName='(.*?)'(?: |$)/m) ?? '',
    minSdk,
    targetSdk: Number(one(/^targetSdkVersion:'(\d+)'/m) ?? minSdk),
    permissions: [...new Set(permissions.filter((name) => !implied.has(name)))].sort(),
    label: one(/^application-label:'(.*)'$/m),
    labels: Object.fromEntries([...text.matchAll(/^application-label-([\w-]+):'(.*)'$/gm)].map(([, language, label]) => [language, label])),
    debuggable: text.includes('application-debuggable'),
    hasIcon: /^application-icon-\d+:'.+'/m.test(text),
  };
}

export const zipalignSays = (path: string) => said('zipalign', '-c', '-v', '-p', '4', path);
export const jarsignerSays = (path: string) => said('jarsigner', '-verify', path);

export interface Folder {
  write(name: string, bytes: Uint8Array): string;
  path(name: string): string;
  remove(): void;
}
export function testFolder(): Folder {
  const folder = mkdtempSync(join(tmpdir(), 'apk-'));
  return {
    path: (name) => join(folder, name),
    write: (name, bytes) => {
      writeFileSync(join(folder, name), bytes);
      return join(folder, name);
    },
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}

/** Two at a time: each is a machine of its own. */
export async function twoAtATime<T>(all: readonly T[], act: (one: T) => Promise<void>): Promise<void> {
  const left = [...all];
  const work = async () => {
    for (let one = left.shift(); one !== undefined; one = left.shift()) await act(one);
  };
  await Promise.all([work(), work()]);
}
