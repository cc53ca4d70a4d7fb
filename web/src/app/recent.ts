import type { Platform } from '@mooring/contract/kit/call';
import { local, parsed } from '../kit/storage.ts';
import { createStore } from '../ui/store.ts';

export interface Visit {
  readonly to: string;
  readonly platform: Platform;
  /** Text key of the screen. */
  readonly title: string;
  /** What the page showed: "SN 10023". */
  readonly name?: string | undefined;
}

const MOST = 12;
export const addVisit = (visits: readonly Visit[], visit: Visit): readonly Visit[] =>
  [visit, ...visits.filter((one) => one.to !== visit.to || one.platform !== visit.platform)].slice(0, MOST);

export const visits = createStore<readonly Visit[]>(parsed<Visit[]>(local.get('recent'), []));

export function visit(made: Visit): void {
  visits.set((now) => addVisit(now, made));
  local.set('recent', JSON.stringify(visits.get()));
}
