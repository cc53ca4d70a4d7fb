import { Fault, fault } from '@mooring/contract/kit/fault';
import { isAllowed } from '@mooring/contract/kit/permission';
import { codeOf } from '@mooring/contract/kit/state-machine';
import { Product, productCalls } from '@mooring/contract/product/calls';
import { productShareCalls } from '@mooring/contract/product/share-calls';
import { productMachine } from '@mooring/contract/product/state-machines';
import { sql } from 'kysely';
import { exact } from '../../platform/db/criteria.ts';
import { move } from '../../platform/db/move.ts';
import { resource } from '../../platform/resource/resource.ts';
import { isInProfile } from '../signing/api.ts';
import { checkCategory } from './entry-resource.ts';
import { checkPhoto } from './photo.ts';
import { usageOf } from './usage.ts';

const published = codeOf(productMachine, 'published');

export const products = resource(Product, productCalls, {
  table: 'product_product',
  small: true,
  target: (row) => `product ${row.code}`,
  joined: (query) =>
    query
      // Of a shared one the owner is another line's: what its side of the share calls it.
      .leftJoin('org_dept as o', 'o.id', 't.dept_id')
      .leftJoin('product_firm as f', 'f.id', 't.firm_id')
      .select((eb) => [
        sql<string>`coalesce(o.name, (select s.other_name from product_share s where s.product_id = t.id and s.side = 'receiver' limit 1), '')`.as(
          'dept_name',
        ),
        eb.fn.coalesce('f.name', 't.firm').as('firm'),
        sql<string>`coalesce((select e.picture from settings_dict_entry e join settings_dict d on d.id = e.dict_id
          where d.code = 'productCategory' and e.value = t.category), t.category)`.as('picture'),
      ]),
  shown: (row, { scope }) => ({ isShared: !row.dept_path.startsWith(scope.path) && !scope.path.startsWith(row.dept_path) }),
  acts: { share: productShareCalls.share },
  inUse: 'PRODUCT_IN_USE',
  handlers: { usage: usageOf },
  refuses: { delete: (row) => row.publish_status === published && 'PRODUCT_IN_USE' },
  offered: () => exact('t.publish_status', published),
  columns: async (ctx, { category, photoId, publish }, { before }) => {
    await checkCategory(ctx, category, before?.category);
    await checkPhoto(ctx, photoId, before?.photo_id);
    if (publish && !isAllowed(ctx.actor.permissions, productCalls.publish.can)) throw fault('FORBIDDEN');
    return {};
  },
  added: async (ctx, id, { publish }, rows) => publish && move(ctx.db, rows, 'publish', [id], { actorId: ctx.actor.userId }),
  // Made anew it would be in none: to take it out is for two people.
  deleted: async (ctx, { id }) => {
    if (await ctx.readOnly((db) => isInProfile(db, id))) throw new Fault('PRODUCT_PROFILE');
  },
});
