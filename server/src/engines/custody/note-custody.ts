import type { custodyEvents, entryTypes } from '@mooring/contract/inventory/fields';
import { sql } from 'kysely';
import type { Db } from '../../platform/context.ts';

export interface CustodyAct {
  readonly event: (typeof custodyEvents)[number];
  /** Where it brings terminals here, or into stock. */
  readonly entryType?: (typeof entryTypes)[number];
  readonly from?: string | undefined;
  /** Its organisation otherwise. */
  readonly to?: string | undefined;
  readonly document?: string | undefined;
  readonly remark?: string | undefined;
  /** Whose doing; nobody's where a terminal came by itself. */
  readonly by: string;
  readonly now: Date;
  /** Who keeps the note, where that isn't the organisation that has the terminals now. */
  readonly at?: { readonly id: number; readonly path: string };
}

/** Says through whose hands terminals went, in the transaction of the act itself; one that brings them into stock is an entry too. */
export async function noteCustody(db: Db, ids: readonly number[], act: CustodyAct): Promise<void> {
  if (ids.length === 0) return;
  const { event, entryType = null, from = '', document = '', remark = '', by, now, at } = act;
  const id = at ? sql`${at.id}::bigint` : sql`d.dept_id`;
  const path = at ? sql`${at.path}::text` : sql`d.dept_path`;
  const to = act.to === undefined ? sql`o.name` : sql`${act.to}::text`;
  await sql`
    insert into device_custody (device_id, event, entry_type, from_name, to_name, document, by_name, remark, at, dept_id, dept_path)
    select d.id, ${event}, ${entryType}::text, ${from}, ${to}, ${document}, ${by}, ${remark}, ${now}, ${id}, ${path}
    from device d join org_dept o on o.id = d.dept_id where d.id = any(${ids}::bigint[]) order by d.id`.execute(db);
  if (entryType === null) return;
  await sql`
    insert into inventory_entry (device_id, sn, type, document, by_name, created_at, dept_id, dept_path)
    select d.id, d.sn, ${entryType}, ${document}, ${by}, ${now}, ${id}, ${path} from device d where d.id = any(${ids}::bigint[]) order by d.id`.execute(
    db,
  );
  await sql`
    update inventory_stock set since = ${now}, entry_type = ${entryType}, document = ${document} where id = any(${ids}::bigint[])`.execute(
    db,
  );
}
