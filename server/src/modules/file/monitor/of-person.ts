import type { Exact } from '@mooring/contract/kit/page';
import { type RawBuilder, sql } from 'kysely';
import { all, type Condition, exact } from '../../../platform/db/criteria.ts';

/** Joins who brought a row `f` as `u`, where they aren't hidden from who looks on: a name is told of nobody else, nor found by. */
export const seenUploader =
  (seen: Condition) =>
  <J extends { on: (condition: RawBuilder<boolean>) => J }>(join: J): J =>
    join.on(all(sql<boolean>`u.id = f.user_id`, seen));

/** What these people brought; of those who are hidden nothing is found. */
export const ofPerson = (of: Exact<number> | undefined): Condition =>
  of === undefined ? undefined : all(exact('f.user_id', of), sql<boolean>`u.id is not null`);
