import { PICTURE } from '@mooring/contract/desktop/limits';
import { Fault } from '@mooring/contract/kit/fault';
import type { Exact } from '@mooring/contract/kit/page';
import { Order, orderCalls } from '@mooring/contract/order/calls';
import { heldUpBy } from '@mooring/contract/order/hold-up';
import { closableFrom, hasArrived } from '@mooring/contract/order/state-machines';
import { formatMoney } from '@mooring/contract/shared/format';
import type { Part } from '@mooring/contract/shared/money';
import { sql } from 'kysely';
import type { Ctx } from '../../platform/context.ts';
import { candidates } from '../../platform/db/candidates.ts';
import { containsWords, exact } from '../../platform/db/criteria.ts';
import type { BlobStore } from '../../platform/files/blob-store.ts';
import { actOnMany } from '../../platform/resource/act-on-many.ts';
import { type Resource, resource } from '../../platform/resource/resource.ts';
import type { sheetImport } from '../../platform/work/import-sheet.ts';
import { noteEntry } from './act.ts';
import { makeActs } from './acts.ts';
import { checkDue, isLate } from './due.ts';
import { editOrder } from './edit.ts';
import { engineers } from './engineers.ts';
import { entries, say } from './entries.ts';
import { addPhotos, checkFiles, keepPhotos } from './files.ts';
import { newOrder } from './new-order.ts';
import { orderDocument } from './order-document.ts';
import { type OrderRow, returnedAt } from './order-row.ts';
import { partners } from './partners.ts';
import { makeQuote } from './quote.ts';
import { replace, replacements } from './replace.ts';
import { isOver, isSide, mayCancel, mayQuote, mayReach, mayShip, type Side, shipper, sidesOf } from './sides.ts';
import { statistic } from './statistic.ts';
import { summary, waitsFor } from './summary.ts';
import { tellPartner } from './tell.ts';
import { tellAfter } from './tell-many.ts';

/** Whatever is asked of one side's rows, also where the other side's aren't in the scope. */
const within = (path: string, column: string) => sql<boolean>`(${sql.ref(column)} >= ${path} and ${sql.ref(column)} < ${`${path}~`})`;
const late = (ctx: Ctx) => sql<boolean>`coalesce(${isLate(ctx.now(), 't')}, false)`;

/** Parts of texts are looked for beside the policy among what was ordered; among what is repaired, in the range of the partner's own. */
const byText = async (text: string, ctx: Ctx) => {
  const words = containsWords(
    ['t.number', 't.sn', 't.contact_name', 't.merchant_name', 't.out_number', 't.back_number', 't.replacement_sn'],
    text,
  );
  if (!words) return undefined;
  const ordered = await candidates(ctx, 'order_order', words, 't');
  return sql<boolean>`(${ordered} or (${within(ctx.scope.path, 't.partner_path')} and ${words}))`;
};
const bySide = (value: 'customer' | 'service' | { in: readonly string[] }, ctx: Ctx) => {
  const asked = typeof value === 'string' ? [value] : value.in;
  const sides = asked.map((side) => isSide(side as Side, ctx.scope.path, 't'));
  return sql<boolean>`(${sql.join(sides, sql` or `)})`;
};

type Shared = Pick<
  OrderRow,
  | 'state'
  | 'costs'
  | 'warranty'
  | 'diagnosis'
  | 'dept_id'
  | 'partner_id'
  | 'dept_path'
  | 'partner_path'
  | 'quoted_by_id'
  | 'out_carrier'
  | 'out_number'
>;
/** What is the other side's to do isn't offered, nor what its state doesn't let. */
const only =
  (side: Side, when: (row: Shared) => boolean = () => true, otherwise = 'OVERTAKEN') =>
  (row: Shared, ctx: Ctx) =>
    sidesOf(ctx.scope.path, row).includes(side) ? !when(row) && otherwise : 'ORDER_SIDE';
const [byCustomer, byService] = [only('customer'), only('service')];
const isAsked = ({ costs, state }: Shared) => costs === 'asked' && state === 'received';
const isDenied = ({ warranty, state, dept_id, partner_id }: Shared) =>
  warranty === 'denied' && state === 'received' && dept_id !== partner_id;
const isUnassigned = sql<boolean>`(t.engineer_id is null and t.state not in ('created', 'closed', 'cancelled'))`;
const isMine = ({ actor }: Ctx) => sql<boolean>`coalesce(t.engineer_id = ${actor.userId}, false)`;

/** Too early to close an order that nobody says is back. */
const isEarly = ({ returned_at: at }: Shared & { readonly returned_at?: Date | null }, ctx: Ctx) => !at || closableFrom(at) > ctx.now();

type Sheet = Pick<ReturnType<typeof sheetImport>, 'template' | 'start'>;

export function makeOrders(store: BlobStore, sheet: Sheet): Resource<typeof Order> {
  const onMany = actOnMany(
    () => orders,
    (row) => row.number,
  );
  const orders: Resource<typeof Order> = resource(Order, orderCalls, {
    table: 'order_order',
    target: (row) => `order ${row.number}`,
    joined: (query, ctx) =>
      query.select([
        sql<string | null>`t.due_on::text`.as('due_on'),
        sql<string | null>`t.warranty_until::text`.as('warranty_until'),
        late(ctx).as('late'),
        returnedAt('t').as('returned_at'),
        waitsFor(ctx.scope.path, 't').as('waiting'),
        isMine(ctx).as('mine'),
        isUnassigned.as('unassigned'),
        // Of whoever has agreed to repair it: others above are named, and seen no further.
        sql<string>`case when t.state in ('created', 'cancelled') then '' else coalesce((
          select concat_ws(' · ', nullif(p.contact_name, ''), nullif(p.contact_phone, ''), nullif(p.address, '')) from org_dept p where p.id = t.partner_id
        ), '') end`.as('partner_address'),
        // Who is shut and stands above an actor isn't seen by them, nor needed: they are shut themselves.
        sql<boolean>`not is_dept_open(t.dept_path)`.as('customer_shut'),
        sql<boolean>`not is_dept_open(t.partner_path)`.as('partner_shut'),
        sql<boolean>`coalesce(t.warranty_until >= (t.created_at at time zone 'UTC')::date, false)`.as('in_warranty'),
      ]),
    owners: (row) => [row.dept_path, row.partner_path],
    // A list of large numbers comes as texts.
    shown: (row, ctx) => ({
      photos: row.photos.map(Number),
      side: sidesOf(ctx.scope.path, row)[0] ?? 'customer',
      inReach: row.dept_path.startsWith(ctx.scope.path),
    }),
    criteria: {
      text: byText,
      late: (isSo: boolean, ctx) => (isSo ? isLate(ctx.now(), 't') : sql<boolean>`not ${late(ctx)}`),
      waiting: (waiting: boolean, ctx) => (waiting ? waitsFor(ctx.scope.path, 't') : sql<boolean>`not ${waitsFor(ctx.scope.path, 't')}`),
      mine: (mine: boolean, ctx) => (mine ? isMine(ctx) : sql<boolean>`not ${isMine(ctx)}`),
      unassigned: (unassigned: boolean) => (unassigned ? isUnassigned : sql<boolean>`not ${isUnassigned}`),
      side: bySide,
      // Also that by which it came in place of another one.
      deviceId: (id: Exact<number>) => sql<boolean>`(${exact('t.device_id', id)} or ${exact('t.replacement_id', id)})`,
    },
    sorts: { dueOn: 'due_sort', closedAt: 'closed_sort' },
    cells: {
      parts: (parts) => partsText(parts),
      total: (total, lang, { currency }) => (total === 0 ? '' : formatMoney(total / 100, currency, lang)),
    },
    acts: {
      assign: orderCalls.assign,
      quote: orderCalls.quote,
      approveCosts: orderCalls.approveCosts,
      declineCosts: orderCalls.declineCosts,
      acceptWarranty: orderCalls.acceptWarranty,
      disputeWarranty: orderCalls.disputeWarranty,
      ship: orderCalls.ship,
      contact: orderCalls.contact,
      addPhotos: orderCalls.addPhotos,
      say: orderCalls.say,
    },
    refuses: {
      update: (row, ctx) => (row.state === 'created' ? byCustomer(row, ctx) : isOver(row) ? 'OVERTAKEN' : 'ORDER_ACCEPTED'),
      cancel: (row, ctx) =>
        !sidesOf(ctx.scope.path, row).some((side) => mayCancel(side, row)) && (hasArrived(row) ? 'ORDER_ARRIVED' : 'ORDER_SIDE'),
      delivered: byCustomer,
      approveCosts: (row, ctx) => only('customer', isAsked)(row, ctx) || (row.quoted_by_id === ctx.actor.userId && 'ORDER_OWN_COSTS'),
      declineCosts: only('customer', isAsked),
      acceptWarranty: (row, ctx) => only('customer', isDenied)(row, ctx) || (row.quoted_by_id === ctx.actor.userId && 'ORDER_OWN_COSTS'),
      disputeWarranty: only('customer', isDenied),
      accept: byService,
      decline: only('service', ({ out_carrier, out_number }) => out_carrier === '' && out_number === '', 'ORDER_SENT'),
      receive: byService,
      unreceive: only('service', ({ diagnosis, warranty }) => diagnosis === '' && warranty === 'none', 'ORDER_DIAGNOSED'),
      addPhotos: only('service', ({ state }) => mayQuote(state)),
      closeReturn: (row, ctx) => byService(row, ctx) || (isEarly(row, ctx) && 'ORDER_RETURN_EARLY'),
      refuse: byService,
      repaired: byService,
      replace: byService,
      diagnose: (row, ctx) => byService(row, ctx) || heldUpBy(row) || false,
      quote: only('service', ({ state }) => mayQuote(state)),
      contact: only('customer', mayReach),
      assign: only('service', (row) => row.state !== 'created' && !isOver(row)),
      ship: (row, ctx) => {
        const side = shipper(row);
        return side === undefined || !mayShip(side, ctx.actor) ? 'ORDER_SIDE' : only(side)(row, ctx);
      },
    },
    columns: async (ctx, { photos: named, partnerId, deviceId, ...input }, { before, db }) => {
      const photos = [...new Set(named)];
      await checkFiles(ctx, db, photos, PICTURE);
      if (!before) {
        checkDue(ctx, input.dueOn);
        return { ...(await newOrder(ctx, db, { ...input, deviceId, partnerId })), photos };
      }
      await keepPhotos(db, before, photos);
      return { ...(await editOrder(ctx, db, before, { ...input, partnerId, photos })), photos };
    },
    added: async (ctx, id, { photos }) => {
      const row = await ctx.db.selectFrom('order_order').selectAll().where('id', '=', id).executeTakeFirstOrThrow();
      await keepPhotos(ctx.db, row, photos);
      await noteEntry(ctx, ctx.db, row, 'customer', { event: 'created' });
      await tellPartner(ctx, ctx.db, row);
      await ctx.invalidate(ctx.db, '/order', row.partner_path);
    },
    handlers: {
      partners,
      engineers,
      replacements,
      replace: replace(() => orders),
      entries,
      say,
      summary,
      statistic,
      document: orderDocument(store, (ctx, id, db) => orders.read(ctx, id, db)) as never,
      ...makeActs(() => orders),
      acceptMany: (ctx, input) => onMany(ctx, 'accept', input, { engineerId: null }, tellAfter(ctx)),
      receiveMany: (ctx, input) => onMany(ctx, 'receive', input, {}, tellAfter(ctx)),
      deliveredMany: (ctx, input) => onMany(ctx, 'delivered', input, {}, tellAfter(ctx)),
      cancelMany: (ctx, { reason, ...input }) => onMany(ctx, 'cancel', input, { reason }, tellAfter(ctx)),
      assignMany: (ctx, { engineerId, dueOn, ...input }) => {
        if (engineerId === undefined && dueOn === undefined) throw new Fault('BAD_INPUT', { fields: { engineerId: 'invalid.required' } });
        checkDue(ctx, dueOn);
        return onMany(ctx, 'assign', input, { engineerId, dueOn }, tellAfter(ctx));
      },
      addPhotos: addPhotos(() => orders),
      ...makeQuote(() => orders),
      template: (ctx, _input, wire) => sheet.template(ctx, wire) as never,
      import: (ctx, input) => sheet.start(ctx, input),
    },
  });
  return orders;
}

const partsText = (parts: readonly Part[]): string =>
  parts.map(({ name, quantity, price }) => `${quantity} × ${name}${price ? ` ${price}` : ''}`).join('; ');
