import { z } from 'zod';
import { deviceCriteria } from '../device/calls.ts';
import { call, calls } from '../kit/call.ts';
import { entity } from '../kit/entity.ts';
import { exporting } from '../kit/export.ts';
import { field, joined, read } from '../kit/field.ts';
import { importingPartly, importTemplate } from '../kit/import.ts';
import { BulkOutcome, selectionOf } from '../kit/page.ts';
import { crud } from '../kit/resource-calls.ts';
import { Id, Moment, Name, Remark, ref } from '../kit/schema.ts';
import { Address, City, Contact, Country, MailAddress, Phone, PlaceNumber, Postcode, position } from './fields.ts';
import { Shop } from './shop.ts';

export const merchantKinds = ['retail', 'restaurant', 'hotel', 'transport', 'fuel', 'health', 'services', 'other'] as const;

/** Who takes payments with terminals: owned by an organisation, whose terminals it may have and those of all below it. */
export const Merchant = entity(
  'merchant',
  {
    number: field(PlaceNumber, { unique: 'MERCHANT_NUMBER_TAKEN', sort: true, code: true, help: true }),
    name: field(Name, { sort: true }),
    kind: field(z.enum(merchantKinds).default('retail'), { filter: true }),
    deptId: field(ref('dept'), { fixed: true, filter: true, help: true }),
    deptName: joined(z.string(), { text: 'merchant.deptId' }),
    contactName: field(Contact),
    phone: field(Phone),
    email: field(MailAddress),
    country: field(Country, { filter: true }),
    region: field(City),
    city: field(City),
    address: field(Address),
    postcode: field(Postcode),
    ...position,
    remark: field(Remark.default('')),
    /** An open release that is for it, by its name where the reader may see that: as long as there is one, the merchant stays. */
    usedBy: joined(z.string().nullable()),
    shops: joined(z.int()),
    terminals: joined(z.int()),
    createdAt: read(Moment, { sort: true }),
  },
  { rowClass: 'owned', order: '-createdAt', search: { text: ['number', 'name', 'phone', 'address'] } },
);

const can = <A extends string>(act: A) => `merchant:merchant:${act}` as const;
/** Who sees terminals may choose among the merchants of the scope. */
const Found = z.object({ id: Id, number: z.string(), name: z.string() });

export const merchantCalls = calls('merchant', '/merchant', {
  ...crud(
    Merchant,
    { see: can('page'), add: can('add'), update: can('update'), delete: can('delete') },
    { faults: { delete: ['MERCHANT_IN_USE', 'MERCHANT_RELEASED', 'USED_UNSEEN'] } },
  ),
  export: exporting(can('export'), Merchant.criteria),
  template: importTemplate(can('add')),
  import: importingPartly(can('add')),
  /** For selects: at most 50 that match, and those named by their ids. */
  search: call({
    can: 'merchant:merchant:page||device:device:page||device:all:page',
    reads: true,
    input: z.strictObject({ text: z.string().trim().max(64).default(''), ids: z.array(Id).max(100).optional() }),
    output: z.array(Found),
  }),
  /** The specification's `/merchant/detail/{deviceId}`: where a terminal stands. */
  ofDevice: call({
    can: can('page'),
    reads: true,
    input: z.strictObject({ deviceId: ref('device') }),
    output: z.object({
      device: z.object({ id: Id, sn: z.string(), name: z.string(), productName: z.string(), deptName: z.string() }),
      merchant: Merchant.row.nullable(),
      shop: Shop.row.nullable(),
    }),
  }),
  /** For the choice of terminals that a merchant may have, with where they stand now: at most 50 that match, and those named by their ids. */
  terminals: call({
    can: 'device:device:update||device:all:update',
    reads: true,
    input: z.strictObject({
      merchantId: ref('merchant'),
      text: z.string().trim().max(64).default(''),
      ids: z.array(Id).max(500).optional(),
    }),
    output: z.array(z.object({ id: Id, sn: z.string(), name: z.string(), merchantId: Id.nullable(), merchantName: z.string().nullable() })),
  }),
  /** Puts terminals of the merchant's organisation, or of those below it, into one of its shops; without a merchant they are in none. */
  assign: call({
    can: 'device:device:update||device:all:update',
    input: z.strictObject({
      of: selectionOf(deviceCriteria),
      merchantId: ref('merchant').nullable(),
      shopId: ref('shop').nullable().default(null),
      preview: z.boolean().default(false),
    }),
    output: BulkOutcome,
    faults: ['SHOP_ELSEWHERE'],
    tx: 'own',
  }),
});
