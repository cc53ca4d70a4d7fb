import type { RealName } from '@mooring/contract/account/real-name-calls';
import { sql } from 'kysely';
import type { z } from 'zod';
import type { Db } from '../../../platform/context.ts';

/** All but the last four signs hidden; the length isn't told either. */
export const masked = (hint: string): string => `••••${hint}`;
export const hintOf = (number: string): string => number.slice(-4);

/** Days as text: a date has no time zone that could move it. */
const day = (column: string) => sql<string>`to_char(${sql.ref(column)}, 'YYYY-MM-DD')`;

export const selectRequests = (db: Db) =>
  db
    .selectFrom('account_real_name_request as q')
    .innerJoin('account_user as u', 'u.id', 'q.user_id')
    .innerJoin('org_dept as d', 'd.id', 'u.dept_id')
    .select([
      'q.id',
      'q.user_id',
      'q.kind',
      'q.outcome',
      'q.name',
      'q.document_kind',
      'q.number_sealed',
      'q.number_hint',
      'q.legal_person',
      'q.reasons',
      'q.decided_by_name',
      'q.decided_at',
      'q.created_at',
      day('q.valid_until').as('valid_until'),
      'u.account',
      'u.name as user_name',
      'u.dept_path',
      'd.name as dept_name',
    ]);
export type RequestRow = Awaited<ReturnType<ReturnType<typeof selectRequests>['executeTakeFirstOrThrow']>>;

type Handed = NonNullable<z.input<typeof RealName>['request']>;
export const handedOf = (row: RequestRow): Omit<Handed, 'pictures'> => ({
  id: row.id,
  kind: row.kind as 'person',
  outcome: row.outcome as 'waiting',
  name: row.name,
  documentKind: row.document_kind,
  number: masked(row.number_hint),
  legalPerson: row.legal_person,
  validUntil: row.valid_until,
  reasons: row.reasons as Record<string, string>,
  createdAt: row.created_at,
  decidedAt: row.decided_at,
});

export const realNameOf = (db: Db, userId: number) =>
  db.selectFrom('account_real_name').selectAll().select(day('valid_until').as('until')).where('user_id', '=', userId).executeTakeFirst();
export type RealNameRow = NonNullable<Awaited<ReturnType<typeof realNameOf>>>;

export const checkedOf = (row: RealNameRow | undefined): z.input<typeof RealName>['checked'] =>
  row?.kind && row.name && row.until
    ? {
        kind: row.kind as 'person',
        name: row.name,
        documentKind: row.document_kind ?? '',
        number: masked(row.number_hint ?? ''),
        legalPerson: row.legal_person,
        validUntil: row.until,
      }
    : null;

export const picturesOf = async (db: Db, requestId: number) =>
  (
    await db
      .selectFrom('account_real_name_picture')
      .select(['id', 'which'])
      .where('request_id', '=', requestId)
      .where('which', 'is not', null)
      .orderBy('id')
      .execute()
  ).map((row) => ({ id: row.id, which: row.which as 'front' }));

export const requestsOf = (db: Db, userId: number) =>
  selectRequests(db).where('q.user_id', '=', userId).orderBy('q.id', 'desc').limit(1).executeTakeFirst();
