import { fault } from '@mooring/contract/kit/fault';
import { Merchant, merchantCalls } from '@mooring/contract/merchant/calls';
import { type Opening, writeHours } from '@mooring/contract/merchant/opening-hours';
import { Shop, shopCalls } from '@mooring/contract/merchant/shop';
import { sql } from 'kysely';
import { ofSeenKind } from '../../engines/rollout/seen-kinds.ts';
import type { Handler } from '../../platform/module.ts';
import { type Resource, resource } from '../../platform/resource/resource.ts';
import { refuseUsed, usedColumns, usedWords } from '../../platform/resource/used-by.ts';
import type { sheetImport } from '../../platform/work/import-sheet.ts';
import { assignDevices } from './assign.ts';
import { checkPosition } from './position.ts';
import { searchMerchants, searchShops, searchTerminals } from './search.ts';

/** Open releases that are for it, or have it in a ring: of its own organisation, or of one above, which the policies show to those below. */
const releases = sql`rollout_task u where (
  (u.scope ? 'merchantIds' and u.ended_at is null and u.scope -> 'merchantIds' @> to_jsonb(t.id))
  or (u.delivery @? '$.rings[*].merchantIds' and u.ended_at is null
    and exists (select from jsonb_array_elements(u.delivery -> 'rings') e where e -> 'merchantIds' @> to_jsonb(t.id))))`;

type Sheet = Pick<ReturnType<typeof sheetImport>, 'template' | 'start'>;

export const makeMerchants = (sheet: Sheet, ofDevice: Handler<typeof merchantCalls.ofDevice>): Resource<typeof Merchant> =>
  resource(Merchant, merchantCalls, {
    table: 'merchant_merchant',
    target: (row) => `merchant ${row.number}`,
    // Counted of the rows of the page alone, each by its index.
    joined: (query, ctx) =>
      query.innerJoin('org_dept as o', 'o.id', 't.dept_id').select((eb) => [
        'o.name as dept_name',
        ...usedColumns([{ rows: releases, seen: ofSeenKind(ctx) }], sql<number>`(select count(*)::int from ${releases})`),
        eb
          .selectFrom('merchant_shop as s')
          .whereRef('s.merchant_id', '=', 't.id')
          .select((of) => of.fn.countAll<number>().as('n'))
          .as('shops'),
        eb
          .selectFrom('device as d')
          .whereRef('d.merchant_id', '=', 't.id')
          .where('d.deleted_at', 'is', null)
          .select((of) => of.fn.countAll<number>().as('n'))
          .as('terminals'),
      ]),
    shown: (row, ctx) => ({ usedBy: usedWords(row, ctx.lang) }),
    inUse: 'MERCHANT_IN_USE',
    refuses: { delete: (row) => refuseUsed(row, 'MERCHANT_RELEASED') },
    columns: (_ctx, input) => {
      checkPosition(input);
      return {};
    },
    handlers: {
      search: searchMerchants,
      terminals: searchTerminals,
      ofDevice,
      assign: assignDevices,
      template: (ctx, _input, wire) => sheet.template(ctx, wire) as never,
      import: (ctx, input) => sheet.start(ctx, input),
    },
  });

export const makeShops = (sheet: Sheet): Resource<typeof Shop> =>
  resource(Shop, shopCalls, {
    table: 'merchant_shop',
    target: (row) => `shop ${row.number}`,
    joined: (query) =>
      query.innerJoin('merchant_merchant as m', 'm.id', 't.merchant_id').select((eb) => [
        'm.name as merchant_name',
        eb
          .selectFrom('device as d')
          .whereRef('d.shop_id', '=', 't.id')
          .where('d.deleted_at', 'is', null)
          .select((of) => of.fn.countAll<number>().as('n'))
          .as('terminals'),
      ]),
    inUse: 'SHOP_IN_USE',
    // A merchant says how many shops it has.
    added: (ctx) => ctx.invalidate(ctx.db, '/merchant'),
    deleted: (ctx) => ctx.invalidate(ctx.db, '/merchant'),
    cells: { openingHours: (hours) => writeHours(hours as readonly Opening[]) },
    // A shop is whose its merchant is.
    columns: async (_ctx, input, { before, db }) => {
      checkPosition(input);
      if (before) return {};
      const owner = await db
        .selectFrom('merchant_merchant')
        .select(['dept_id', 'dept_path'])
        .where('id', '=', input.merchantId)
        .forKeyShare()
        .executeTakeFirst();
      if (!owner) throw fault('NOT_FOUND');
      return owner;
    },
    handlers: {
      search: searchShops,
      template: (ctx, _input, wire) => sheet.template(ctx, wire) as never,
      import: (ctx, input) => sheet.start(ctx, input),
    },
  });
