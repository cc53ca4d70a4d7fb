import type { Order } from '@mooring/contract/order/calls';
import { sql } from 'kysely';
import type { AppContext } from '../../platform/app-context.ts';
import { openStore } from '../../platform/files/open-store.ts';
import type { Module } from '../../platform/module.ts';
import type { Resource } from '../../platform/resource/resource.ts';
import { orderImport } from './import-orders.ts';
import { makeOrders } from './order.resource.ts';
import { remindOrders } from './remind.ts';
import { countOpen } from './summary.ts';
import { tellManyJob } from './tell-many.ts';

/** Terminals that are sent to be repaired, between their organisation and a service partner. */
export function makeOrder(app: AppContext): Module {
  const store = openStore(app.config, app.counts);
  const sheet = orderImport(store, () => orders);
  const orders: Resource<typeof Order> = makeOrders(store, sheet);
  return {
    name: 'order',
    resources: [orders],
    jobs: [sheet.job, remindOrders, tellManyJob],
    fileOwners: [
      {
        table: 'order_file',
        column: 'file_id',
        can: 'order:order:page',
        use: {
          what: 'order',
          name: sql`(select o.number from order_order o where o.id = order_file.order_id)`,
          at: { path: '/orderDetail/', id: sql`order_file.order_id` },
        },
      },
    ],
    counts: { order: { can: 'order:order:page', count: async (db, ctx) => (await countOpen(ctx, db)).waiting } },
  };
}
