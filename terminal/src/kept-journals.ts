import { appendFileSync, existsSync, mkdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { type Journal, type Stored, storedOf } from './journal.ts';

/** Journals of many terminals in one file. */
export interface KeptJournals {
  readonly of: (sn: string) => Stored | undefined;
  /** What this terminal must not forget, before it acts on it: a process that is killed in the next moment finds it. */
  note(sn: string, journal: Journal): void;
  close(): void;
}

/** Above this the notes are put together into one state. */
const FOLD_BYTES = 32 * 1024 ** 2;

/** The state at some time, and beside it a line for each change since. `path` undefined keeps nothing. */
export function keepJournals(path: string | undefined): KeptJournals {
  if (!path) return { of: () => undefined, note() {}, close() {} };
  const log = `${path}.log`;
  mkdirSync(dirname(path), { recursive: true });
  const state = new Map<string, Stored>(existsSync(path) ? Object.entries(JSON.parse(readFileSync(path, 'utf8'))) : []);
  for (const [sn, stored] of linesOf(log)) state.set(sn, stored);
  let size = 0;
  const fold = () => {
    writeFileSync(`${path}.new`, JSON.stringify(Object.fromEntries(state)));
    renameSync(`${path}.new`, path);
    rmSync(log, { force: true });
    size = 0;
  };
  // A line that a kill cut in the middle would spoil the next one.
  if (existsSync(log) && statSync(log).size > 0) fold();
  return {
    of: (sn) => state.get(sn),
    note(sn, journal) {
      const line = `${JSON.stringify([sn, storedOf(journal)])}\n`;
      appendFileSync(log, line);
      state.set(sn, storedOf(journal));
      size += line.length;
      if (size > FOLD_BYTES) fold();
    },
    close: fold,
  };
}

function linesOf(log: string): [string, Stored][] {
  if (!existsSync(log)) return [];
  return readFileSync(log, 'utf8')
    .split('\n')
    .flatMap((line) => {
      try {
        return [JSON.parse(line) as [string, Stored]];
      } catch {
        return [];
      }
    });
}
