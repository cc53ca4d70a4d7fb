import { fault } from '@mooring/contract/kit/fault';
import { isAllowed } from '@mooring/contract/kit/permission';
import { codeOf } from '@mooring/contract/kit/state-machine';
import { Product, productCalls } from '@mooring/contract/product/calls';
import { productMachine } from '@mooring/contract/product/state-machines';
import { exact } from '../../platform/db/criteria.ts';
import { move } from '../../platform/db/move.ts';
import { resource } from '../../platform/resource/resource.ts';

const published = codeOf(productMachine, 'published');

export const products = resource(Product, productCalls, {
  table: 'product_product',
  small: true,
  target: (row) => `product ${row.code}`,
  joined: (query) => query.innerJoin('org_dept as o', 'o.id', 't.dept_id').select('o.name as dept_name'),
  inUse: 'PRODUCT_IN_USE',
  refuses: { delete: (row) => row.publish_status === published && 'PRODUCT_IN_USE' },
  offered: () => exact('t.publish_status', published),
  columns: (ctx, { publish }) => {
    if (publish && !isAllowed(ctx.actor.permissions, productCalls.publish.can)) throw fault('FORBIDDEN');
    return {};
  },
  added: async (ctx, id, { publish }, rows) => publish && move(ctx.db, rows, 'publish', [id], { actorId: ctx.actor.userId }),
});
