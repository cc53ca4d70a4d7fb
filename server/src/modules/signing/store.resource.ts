import { KeyStore, keyStoreCalls } from '@mooring/contract/signing/key-store';
import { sql } from 'kysely';
import { resource } from '../../platform/resource/resource.ts';

export const keyStores = resource(KeyStore, keyStoreCalls, {
  table: 'signing_store',
  small: true,
  target: (row) => `key store ${row.name}`,
  joined: (query) =>
    query
      .leftJoin('org_dept as o', 'o.id', 't.dept_id')
      .select((eb) => [
        eb.fn.coalesce('o.name', sql<string>`''`).as('dept_name'),
        sql<number>`(select count(*)::int from signing_key k where k.store_id = t.id and k.state <> 'destroyed')`.as('keys'),
      ]),
  inUse: 'KEY_STORE_IN_USE',
  columns: (ctx, _input, { before }) => (before ? {} : { created_by: ctx.actor.userName }),
});
