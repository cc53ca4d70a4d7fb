import type { Module } from '../../platform/module.ts';
import { orders } from './order.resource.ts';
import { countOpen } from './summary.ts';

/** Terminals that are sent to be repaired, between their organisation and a service partner. */
export const order: Module = {
  name: 'order',
  resources: [orders],
  fileOwners: [{ table: 'order_file', column: 'file_id', can: 'order:order:page' }],
  counts: { order: { can: 'order:order:page', count: async (db, ctx) => (await countOpen(ctx, db)).waiting } },
};
