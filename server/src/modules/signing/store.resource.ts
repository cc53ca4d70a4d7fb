import { Fault } from '@mooring/contract/kit/fault';
import { KeyStore, keyStoreCalls } from '@mooring/contract/signing/key-store';
import { sql } from 'kysely';
import type { Ctx } from '../../platform/context.ts';
import { type Resource, resource } from '../../platform/resource/resource.ts';
import type { TokenState } from './vault/token.ts';
import type { Vault } from './vault/vault.ts';

/** Of the installation's token, to whom a store in it concerns, or who may make one. */
async function tokenState(ctx: Ctx, { token }: Vault): Promise<TokenState> {
  const found = await token.state();
  if (found.state !== 'unset') return found;
  const kept = await ctx.readOnly((db) => db.selectFrom('signing_store').select('id').where('kind', '=', 'token').limit(1).execute());
  return kept.length > 0 ? { state: 'away', label: '', reason: 'unset' } : found;
}

export const keyStores = (vault: Vault): Resource<typeof KeyStore> =>
  resource(KeyStore, keyStoreCalls, {
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
    columns: (ctx, { kind }, { before }) => {
      if (before) return {};
      if (kind === 'token' && !vault.token.isSet) throw new Fault('KEY_TOKEN_UNSET', { fields: { kind: 'fault.KEY_TOKEN_UNSET' } });
      return { created_by: ctx.actor.userName };
    },
    handlers: { token: (ctx) => tokenState(ctx, vault) },
  });
