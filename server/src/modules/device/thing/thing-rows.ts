import { thingCommands } from '@mooring/contract/device/commands';
import type { Misfit, Values } from '@mooring/contract/device/thing/check-values';
import { Fault, fault } from '@mooring/contract/kit/fault';
import type { ThingModel } from '@mooring/contract/product/thing-model';
import { sql } from 'kysely';
import type { Db } from '../../../platform/context.ts';

export interface Thing {
  readonly id: number;
  readonly sn: string;
  readonly status: string;
  readonly deleted_at: Date | null;
  readonly dept_path: string;
  readonly product_id: number;
  readonly product_name: string | null;
  readonly capabilities: readonly string[];
  readonly version: number | null;
  readonly published_at: Date | null;
  readonly model: ThingModel | null;
}

/** A terminal with its product's published model, as the person sees both. */
export async function thingOf(db: Db, id: number): Promise<Thing> {
  const { rows } = await sql<Thing>`
    select d.id, d.sn, d.status, d.deleted_at, d.dept_path, d.product_id, p.name as product_name, d.capabilities, m.version, m.published_at, m.model
    from device d left join product_product p on p.id = d.product_id
    left join product_model m on m.product_id = d.product_id and m.state = 'published' where d.id = ${id}`.execute(db);
  if (!rows[0]) throw fault('NOT_FOUND');
  return rows[0];
}

/** The same to speak to it: it is in use, and its product has a model. It is held: who moves it meanwhile finds what was asked of it. */
export async function thingToAsk(db: Db, id: number): Promise<Thing & { readonly model: ThingModel }> {
  await sql`select from device d where d.id = ${id} for share of d`.execute(db);
  const thing = await thingOf(db, id);
  if (thing.deleted_at !== null || thing.status === '4') throw new Fault('DEVICE_STATE');
  if (!thing.model) throw new Fault('THING_NONE');
  return { ...thing, model: thing.model };
}

/** Published models of these products. */
export async function publishedModels(db: Db, productIds: readonly number[]): Promise<ReadonlyMap<number, ThingModel>> {
  const { rows } = await sql<{ product_id: number; model: ThingModel }>`
    select product_id, model from product_model where state = 'published' and product_id = any(${[...new Set(productIds)]}::bigint[])`.execute(
    db,
  );
  return new Map(rows.map((row) => [row.product_id, row.model]));
}

export const isThingCommand = (kind: unknown): boolean => (thingCommands as readonly unknown[]).includes(kind);

/** Each wrong value at its field, with the figures of its own. */
export function refuseMisfits(at: 'values' | 'input' | 'names', misfits: readonly Misfit[]): void {
  if (misfits.length === 0) return;
  const fields = misfits.map((one) => {
    const place = one.at === '' ? at : `${at}.${one.at}`;
    const params: Record<string, number> = one.limit === undefined ? {} : { limit: one.limit };
    return [place, { key: `thing.wrong.${one.problem}`, params }] as const;
  });
  throw new Fault('THING_VALUES', { fields: Object.fromEntries(fields.toReversed()) });
}

export const valuesOf = (data: unknown): Values => {
  const { params } = (data ?? {}) as { params?: { values?: Values } };
  return params?.values ?? {};
};
