import type { SourceFile } from './source-files.ts';

/** Where a test file looks for a program of the machine. */
const looks = /missingPrograms\(|spawnSync\('(?:soffice|oathtool|openssl|promtool|nginx)', \['-{0,2}version'\]/;
const counts = /\.(?:skipIf|runIf)\(|\bskip\(/;

/** Where something else does the same, so that nothing is left out. */
const stoodIn: ReadonlyMap<string, string> = new Map([
  ['server/src/modules/device/diff-offers.medium.test.ts', 'without zstd the difference is made by Node, in the same format'],
]);

/** What a machine may lack: a program, the kind of system that a test is about, the console's build. */
const lacks = /missingPrograms\(|\bbrokers\b|spawnSync\('|process\.platform\b|existsSync\(join\(import\.meta\.dirname, 'dist'/;

/** Skips for another reason. */
const otherwise: ReadonlyMap<string, string> = new Map([
  ['server/src/modules/file/full-disk.medium.test.ts', 'an account that mounts no file system fills none; a limit on files stands in'],
  ['e2e/way-back.journey.ts', 'the last release is in the history alone, which a shallow clone lacks'],
  ['e2e/last-terminals.journey.ts', 'the last release is in the history alone, which a shallow clone lacks'],
  ['tools/api-clients.medium.test.ts', 'each example asks for the program of its own language'],
]);

const isTest = ({ path }: SourceFile) => /\.(test|journey)\.tsx?$/.test(path) && path !== 'tools/guards/skips.test.ts';

/** Tests that lack a program of the machine and say nothing of it, or that nobody counts. */
const silent = ({ path, text }: SourceFile): string[] =>
  looks.test(text) && !stoodIn.has(path)
    ? [
        ...(/['`(]skipped\b/.test(text) ? [] : [`${path} doesn’t print "skipped"`]),
        ...(counts.test(text) ? [] : [`${path} isn’t counted as skipped`]),
      ]
    : [];

/** A condition with what its names are declared as in the file, and what stands in those. */
function spelledOut(condition: string, text: string, depth = 3): string {
  if (depth === 0) return condition;
  const names = new Set(condition.match(/(?<![.\w'])[a-zA-Z_]\w*/g) ?? []);
  const declared = [...names].flatMap((name) => [
    new RegExp(`^const ${name} = (.*)$`, 'm').exec(text)?.[1] ?? '',
    new RegExp(`^function ${name}\\(.*?^}`, 'ms').exec(text)?.[0].replace(`function ${name}`, '') ?? '',
  ]);
  const said = declared.filter(Boolean).join('\n');
  return said ? `${condition}\n${spelledOut(said, text, depth - 1)}` : condition;
}

const skips = /\.(?:skipIf|runIf)\(((?:[^()]|\([^()]*\))*)\)|(?:\.|\b)skip\(/g;
const asked = /if \(((?:[^()]|\((?:[^()]|\([^()]*\))*\))*)\)/;

/** Skips that don't depend on what the machine lacks: whoever runs the suite isn't told what was left out. */
const unfounded = ({ path, text }: SourceFile): string[] =>
  otherwise.has(path)
    ? []
    : [...text.matchAll(skips)].flatMap(({ index, 0: said, 1: given }) => {
        const before = text.slice(Math.max(0, index - 300), index);
        const condition = given ?? asked.exec(before.slice(Math.max(0, before.lastIndexOf('if ('))))?.[1] ?? '';
        return lacks.test(spelledOut(condition, text)) ? [] : [`${path}: ${said} isn’t for what the machine lacks`];
      });

export const silentSkips = (files: readonly SourceFile[]): string[] =>
  files.filter(isTest).flatMap((file) => [...silent(file), ...unfounded(file)]);
