import { Fault } from '@mooring/contract/kit/fault';
import { type RawBuilder, sql } from 'kysely';
import { t } from '../texts/translate.ts';

/** Rows that keep another one from going. */
export interface Use {
  /** `table u where …`, as far as the policies show it. */
  readonly rows: RawBuilder<unknown>;
  /** Of those the ones that the person may see, and is told the name of. */
  readonly seen: RawBuilder<boolean>;
}

const nameIn = ({ rows, seen }: Use) => sql`(select u.name from ${rows} and ${seen} order by u.id limit 1)`;
const countIn = ({ rows, seen }: Use) => sql`(select count(*)::int from ${rows} and ${seen})`;

/** What keeps a row: the first name that the person may see, and how many there are beside those that they see. `all` counts past the policies. */
export const usedColumns = (uses: readonly Use[], all: RawBuilder<number>) =>
  [
    sql<string | null>`coalesce(${sql.join(uses.map(nameIn))})`.as('used_by'),
    sql<number>`(${all} - ${sql.join(uses.map(countIn), sql` - `)})`.as('used_unseen'),
  ] as const;

const used = (row: object) => row as { readonly used_by?: string | null; readonly used_unseen?: number };

/** In the list: a name, or that there is something which the person can't see. */
export const usedWords = (row: object, lang: string): string | null => {
  const { used_by: name, used_unseen: count = 0 } = used(row);
  return name ?? (count > 0 ? t(lang, 'upload.uses.others', { count }) : null);
};

/** What is used stays: the fault names what the person may see. */
export const refuseUsed = (row: object, fault: string): Fault | undefined => {
  const { used_by: name, used_unseen: count = 0 } = used(row);
  if (name) return new Fault(fault, { params: { name } });
  return count > 0 ? new Fault('USED_UNSEEN', { params: { count } }) : undefined;
};
