import { paramLimits, type paramProblems } from '@mooring/contract/paramfile/limits';
import { sql } from 'kysely';
import type { Db } from '../../platform/context.ts';
import type { Packed } from '../../platform/work/read-zip.ts';

type Problem = (typeof paramProblems)[number];
export interface Matched {
  readonly file: Packed;
  readonly deviceId: number;
  readonly sn: string;
  readonly fileName: string;
  readonly deptPath: string;
}
export interface Matching {
  readonly matched: readonly Matched[];
  readonly problems: readonly { readonly name: string; readonly problem: Problem }[];
}

const baseOf = (path: string) => path.slice(path.lastIndexOf('/') + 1);
/** Files are called as the terminal is, in whatever folder they lie. */
export const snOf = (path: string): string =>
  baseOf(path)
    .replace(/\.[^.]*$/, '')
    .trim()
    .toUpperCase();

function problemOf({ size, encrypted }: Packed, isDoubled: boolean): Problem | undefined {
  if (encrypted) return 'encrypted';
  if (size === 0) return 'empty';
  if (size > paramLimits.fileBytes) return 'tooLarge';
  return isDoubled ? 'doubled' : undefined;
}

interface Terminal {
  readonly id: number;
  readonly sn: string;
  readonly dept_path: string;
}

/** Whose files these are, among the terminals that the actor sees. Of two for the same one neither counts: nobody knows which is meant. */
export async function matchFiles(db: Db, files: readonly Packed[]): Promise<Matching> {
  const sns = files.map((file) => snOf(file.path));
  const times = new Map<string, number>();
  for (const sn of sns) times.set(sn, (times.get(sn) ?? 0) + 1);
  const found = await sql<Terminal>`
    select id, sn, dept_path from device where sn = any(${[...times.keys()]}::text[]) and deleted_at is null`.execute(db);
  const bySn = new Map(found.rows.map((row) => [row.sn, row]));
  const matched: Matched[] = [];
  const problems: { name: string; problem: Problem }[] = [];
  for (const [at, file] of files.entries()) {
    const sn = sns[at] ?? '';
    const terminal = bySn.get(sn);
    const problem = terminal ? problemOf(file, times.get(sn) !== 1) : 'noTerminal';
    if (problem || !terminal) problems.push({ name: file.path.slice(0, NAME), problem: problem ?? 'noTerminal' });
    else matched.push({ file, deviceId: terminal.id, sn, fileName: baseOf(file.path).slice(0, NAME), deptPath: terminal.dept_path });
  }
  return { matched, problems };
}
const NAME = 200;
