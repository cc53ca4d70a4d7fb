import { execFileSync } from 'node:child_process';
import { existsSync, globSync, readFileSync, statSync } from 'node:fs';
import { basename, join } from 'node:path';
import { packedEntries } from '@mooring/contract/app/packed-entries';
import { repack, unpackForDiff } from '@mooring/contract/app/repack';
import { beforeAll, expect, test } from 'vitest';
import type { ReadPackage } from './api.ts';
import { BrokenPackage } from './broken.ts';
import { aaptSays, missingPrograms, twoAtATime, verifierSays } from './programs.factory.ts';
import { readPackageFrom } from './read-package.ts';
import { fileSource } from './source.ts';

/** The packages of Debian's `androguard`: where it is installed, or where APK_CORPUS says that it was unpacked. */
function corpus(): string[] {
  const folder = process.env.APK_CORPUS;
  if (folder) return globSync(join(folder, '**/*.apk')).sort();
  if (missingPrograms('dpkg').length > 0) return [];
  try {
    return execFileSync('dpkg', ['-L', 'androguard'], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] })
      .split('\n')
      .filter((path) => path.endsWith('.apk') && existsSync(path));
  } catch {
    return [];
  }
}

const packages = corpus();
const missing = [...missingPrograms('javac', 'apksigner', 'aapt'), ...(packages.length === 0 ? ['the packages of androguard'] : [])];
if (missing.length > 0) process.stderr.write(`skipped: ${missing.join(', ')} not here: verdicts are compared with nobody’s\n`);

const MOST_REPACKED = 500_000;

/** Where we refuse what Android's own tool takes, and why. */
const stricter: readonly (readonly [name: RegExp, end: string, why: string])[] = [
  [/^v1-only-with-rsa-pkcs1-md5-/, 'ALGORITHM', 'MD5 is forged in seconds'],
  [
    /^(v1-only-)?(with-)?two-signers|^v[23]-only-two-signers|signerInfo2-good|^partialsignature/,
    'SEVERAL_SIGNERS',
    'exactly one signer is wanted',
  ],
  [/^weird-compression-method\.apk$/, 'ARCHIVE_METHOD', 'Android takes an unknown method for a known one, others don’t'],
  [/^mismatched-compression-method\.apk$/, 'ARCHIVE_UNEQUAL', 'two headers that differ show different files to different readers'],
  [/^v1-only-with-nul-in-entry-name\.apk$/, 'ARCHIVE_NAME', 'a name ends at the nul for some, and goes on for others'],
  [/^v1-with-apk-sig-block-but-without-apk-sig-scheme-v2-block\.apk$/, 'BLOCK_UNKNOWN', 'entries that no signature is over carry anything'],
];

/** What is no answer of Android's own tool: parts of others, or none at all. */
const read = new Map<string, ReadPackage | string>();
beforeAll(async () => {
  for (const path of packages) {
    const source = fileSource(path);
    const answer = await readPackageFrom(source).catch((error: unknown) => {
      if (error instanceof BrokenPackage) return error.rule;
      throw error;
    });
    source.close();
    read.set(path, answer);
  }
});

function endOf(answer: ReadPackage | string | undefined): { holds: boolean; end: string } {
  if (answer === undefined || typeof answer === 'string') return { holds: false, end: answer ?? 'not read' };
  const { signature, info } = answer;
  const holds = signature.wrong === null && (signature.validFrom ?? 0) <= info.minSdk;
  return { holds, end: signature.wrong ?? `from ${signature.validFrom}` };
}

test.skipIf(missing.length > 0)(
  'verdicts are those of Android’s own tool, but for the stricter ones that are named here',
  async () => {
    const wrong: string[] = [];
    const used = new Set<string>();
    const verdicts = await verifierSays(packages);
    for (const path of packages) {
      const [answer, theirs] = [read.get(path), verdicts.get(path)];
      if (!theirs) throw new Error(`nothing is said of ${path}`);
      const { holds, end } = endOf(answer);
      const named = stricter.find(([name]) => name.test(basename(path)));
      if (named && theirs.ok && !holds && end === named[1]) used.add(named[2]);
      else if (holds !== theirs.ok) wrong.push(`${basename(path)}: ${end}, ${theirs.text.slice(0, 300)}`);
      else if (holds && typeof answer === 'object') {
        const { schemes, certificate } = answer.signature;
        if (String(schemes) !== String(theirs.schemes) || certificate?.sha256 !== theirs.sha256)
          wrong.push(`${basename(path)}: ${schemes}`);
      }
    }
    expect(wrong).toEqual([]);
    expect(packages.length).toBeGreaterThan(300);
    expect(used.size).toBe(stricter.length);
  },
  900_000,
);

test.skipIf(missing.length > 0)(
  'aapt reads the same out of them',
  async () => {
    const wrong: unknown[] = [];
    await twoAtATime(packages, async (path) => {
      const answer = read.get(path);
      if (typeof answer !== 'object') return;
      const { info } = answer;
      const said = await aaptSays(path);
      const ours = {
        ...{ packageName: info.packageName, versionCode: info.versionCode % 2 ** 32, versionName: info.versionName },
        ...{ minSdk: info.minSdk, targetSdk: info.targetSdk, debuggable: info.debuggable, hasIcon: info.icon !== null },
        permissions: info.permissions.toSorted(),
        label: said.label === undefined ? undefined : info.label,
        labels: Object.fromEntries(Object.entries(info.labels).filter(([language]) => language !== '')),
      };
      // It names every language of the package, and writes quotes as if they were code.
      const labels = Object.fromEntries(
        Object.keys(ours.labels).map((language) => [language, said.labels[language]?.replaceAll('\\"', '"')]),
      );
      const theirs = { ...said, labels };
      if (JSON.stringify(sorted(ours)) !== JSON.stringify(sorted(theirs))) wrong.push([basename(path), ours, theirs]);
    });
    expect(wrong).toEqual([]);
  },
  300_000,
);

test.skipIf(missing.length > 0)(
  'what is unpacked for a difference is packed again to the very same bytes, nearly all files of it',
  () => {
    let [files, unpacked] = [0, 0];
    for (const path of packages.filter((one) => statSync(one).size < MOST_REPACKED)) {
      const bytes = readFileSync(path);
      const made = unpackForDiff(bytes);
      files += packedEntries(bytes).length;
      unpacked += made.plan.length - 1;
      const again = repack(made);
      expect(again !== undefined && bytes.equals(again), path).toBe(true);
    }
    expect(unpacked / files).toBeGreaterThan(0.95);
  },
  300_000,
);

const sorted = (of: object) => Object.entries(of).sort(([a], [b]) => a.localeCompare(b));
