import { Firm, firmCalls } from '@mooring/contract/product/firm-calls';
import { resource } from '../../platform/resource/resource.ts';

export const firms = resource(Firm, firmCalls, {
  table: 'product_firm',
  small: true,
  target: (row) => `firm ${row.name}`,
  joined: (query) =>
    query.select((eb) =>
      eb
        .selectFrom('product_product as p')
        .select((of) => of.fn.countAll<number>().as('n'))
        .whereRef('p.firm_id', '=', 't.id')
        .as('products'),
    ),
  inUse: 'FIRM_IN_USE',
});
