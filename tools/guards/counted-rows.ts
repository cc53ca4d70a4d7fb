import type { SourceFile } from './source-files.ts';

const room = /^server\/src\/(engines|modules|platform)\/.*(?<!\.(?:test|factory))\.ts$/;
const modules = 'server/src/modules';

/** Counts under a lock that another function takes: where that stands, and how it is written. */
const heldBy: ReadonlyMap<string, readonly [path: string, lock: string]> = new Map([
  [
    `${modules}/account/passkeys.ts bindPasskey`,
    [`${modules}/account/own-passkeys.ts`, 'await lockFactors(db, ctx.actor.userId);\n    await bindPasskey('],
  ],
  [`${modules}/account/real-name/pictures.ts addPicture`, [`${modules}/account/real-name/pictures.ts`, 'await lockSet(db, `pictures:']],
  [`${modules}/file/upload-quota.ts checkQuota`, [`${modules}/file/upload-quota.ts`, 'await lockQuota(db, ctx);']],
  [`${modules}/signing/add-key.ts checkRoom`, [`${modules}/signing/add-key.ts`, 'await lockSet(db, `signing store ']],
  [
    'server/src/platform/work/work.ts checkOpenWork',
    ['database/migrations/0562-turns.sql', "perform pg_advisory_xact_lock(hashtextextended('work:'"],
  ],
]);

/** `… >= MOST_RULES) throw …`, and what throws a fault that says “full”; not where what was chosen is more than may be. */
const refusing = />= (?:[A-Z][A-Z_]+|\w*[lL]imits\.\w+)\) throw\b|(?<! > \w{1,40}\) )throw new Fault\('(?!TOO_)\w+_(?:MANY|FULL|LIMIT)'/g;
const locking = /\block[A-Z]\w*\(|\bpg_advisory_xact_lock\(|\bfor (?:no key )?update\b|\.forUpdate\(/;
/** Of rows: what is in the memory of one process is nobody else's. */
const reading = /\bsql(?:<[^`]*>)?`|\.selectFrom\(/;
const beginning = /\n(?:export )?(?:const|(?:async )?function) (\w+)/g;

/** The function around a place, up to there. */
function around(text: string, at: number): { readonly name: string; readonly before: string } {
  const head = `\n${text.slice(0, at)}`;
  const begun = [...head.matchAll(beginning)].at(-1);
  return { name: begun?.[1] ?? '', before: head.slice(begun?.index ?? 0) };
}

/** Limits of rows by which two who add side by side would both find room. */
export function countedFaults(files: readonly SourceFile[]): string[] {
  const isHeld = (place: string) => {
    const [path, lock] = heldBy.get(place) ?? [];
    return lock !== undefined && files.some((file) => file.path === path && file.text.includes(lock));
  };
  const faults = files
    .filter(({ path }) => room.test(path))
    .flatMap(({ path, text }) =>
      [...text.matchAll(refusing)].flatMap(({ index }) => {
        const { name, before } = around(text, index);
        const isOpen = reading.test(before) && !locking.test(before) && !isHeld(`${path} ${name}`);
        return isOpen ? [`${path} ${name} counts and holds no lock: two side by side both find room`] : [];
      }),
    );
  return [...new Set(faults)];
}
