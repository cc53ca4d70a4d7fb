import type { SourceFile } from './source-files.ts';

/** Where a test file looks for a program of the machine. */
const looks = /missingPrograms\(|spawnSync\('(?:soffice|oathtool|openssl|promtool|nginx)', \['-{0,2}version'\]/;
const counts = /\.(?:skipIf|runIf)\(|\bskip\(/;

/** Where something else does the same, so that nothing is left out. */
const stoodIn: ReadonlyMap<string, string> = new Map([
  ['server/src/modules/device/diff-offers.medium.test.ts', 'without zstd the difference is made by Node, in the same format'],
]);

/** Tests that lack a program of the machine and say nothing of it, or that nobody counts. */
export const silentSkips = (files: readonly SourceFile[]): string[] =>
  files
    .filter(({ path, text }) => /\.(test|journey)\.ts$/.test(path) && looks.test(text) && !stoodIn.has(path))
    .flatMap(({ path, text }) => [
      ...(/['`(]skipped\b/.test(text) ? [] : [`${path} doesn’t print "skipped"`]),
      ...(counts.test(text) ? [] : [`${path} isn’t counted as skipped`]),
    ]);
