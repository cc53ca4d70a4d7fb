import { sql } from 'kysely';
import type { AppContext } from '../../platform/app-context.ts';
import type { Db } from '../../platform/context.ts';
import type { Held } from './aws-control.ts';

/** A certificate at the other side, and which of ours it is. */
export type KeptCertificate = Held & { readonly fingerprint: string };

type App = Pick<AppContext, 'unscoped'>;
const without = (id: string) =>
  sql`(select coalesce(jsonb_agg(c), '[]') from jsonb_array_elements(certificates) c where c ->> 'id' <> ${id})`;

/** What was made is known from then on, whatever the row's state: it can be undone. */
export async function keepHeld(app: App, id: number, held: KeptCertificate, isThingOurs: boolean, inside?: Db): Promise<void> {
  const keep = (db: Db) =>
    sql`
      update customer_registration set certificates = ${without(held.id)} || ${JSON.stringify([held])}::jsonb, thing_made = thing_made or ${isThingOurs}
      where id = ${id}`.execute(db);
  await (inside ? keep(inside) : app.unscoped(keep));
}

export async function forgetHeld(app: App, id: number, certificateId: string): Promise<void> {
  await app.unscoped((db) => sql`update customer_registration set certificates = ${without(certificateId)} where id = ${id}`.execute(db));
}
