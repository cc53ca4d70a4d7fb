import { spawnSync } from 'node:child_process';
import { root } from './processes.ts';

/** One of two halves, or all of it. */
export type Share = 0 | 1 | 'whole';

/**
 * Which share of a sweep is made: the one that is asked for, or the one whose turn it is by the commit, so that what failed fails again. Where
 * nobody knows the commit it is all.
 */
export function shareOf(asked: string | undefined, turn: number | undefined): Share {
  if (asked === 'whole') return 'whole';
  if (asked === '0' || asked === '1') return asked === '0' ? 0 : 1;
  if (asked) throw new Error(`SWEEP is whole, 0 or 1, not ${asked}`);
  return turn === undefined ? 'whole' : turn % 2 === 0 ? 0 : 1;
}

const git = (...args: readonly string[]): string => {
  const { status, stdout } = spawnSync('git', args, { cwd: root, encoding: 'utf8' });
  return status === 0 ? stdout.trim() : '';
};

/** How many commits came before, so that the next one takes the other half. A clone without history doesn't know it: there the commit's own name decides. */
function turnHere(): number | undefined {
  const commit = git('rev-parse', 'HEAD');
  if (!/^[0-9a-f]{40,}$/.test(commit)) return undefined;
  const isWhole = git('rev-parse', '--is-shallow-repository') === 'false';
  return isWhole ? Number(git('rev-list', '--count', 'HEAD')) : Number.parseInt(commit.slice(-1), 16);
}

/** Every second one: neighbours are alike, so each half has some of each kind. */
export const partOf = <T>(all: readonly T[], share: Share): readonly T[] =>
  share === 'whole' ? all : all.filter((_, at) => at % 2 === share);

/**
 * What one run goes over of all pages and all entries of the menus. They take as long as all other journeys together (ADR 68); `SWEEP=whole`
 * goes over all of them, `SWEEP=0` and `SWEEP=1` over the one or the other half.
 */
export const inTurn = <T>(all: readonly T[]): readonly T[] => partOf(all, shareOf(process.env.SWEEP, turnHere()));
