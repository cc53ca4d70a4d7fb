import { z } from 'zod';
import { calls } from '../kit/call.ts';
import { entity } from '../kit/entity.ts';
import { field, joined, read, state } from '../kit/field.ts';
import { crud, moves } from '../kit/resource-calls.ts';
import { Id, Moment, ref } from '../kit/schema.ts';
import { currencies, MOST_PHOTOS, Part } from '../shared/money.ts';
import { maintenanceMachine } from './state-machines.ts';

export const maintenanceKinds = ['repair', 'replacement', 'cleaning', 'inspection', 'supplies', 'other'] as const;

const Text = z.string().trim().max(1000).default('');

/** Work on one terminal. Where it stood is noted when the record is made: it may stand elsewhere later. */
export const Maintenance = entity(
  'maintenance',
  {
    sn: read(z.string(), { sort: true, code: true, text: 'device.sn' }),
    deviceId: field(ref('device'), { fixed: true, filter: true }),
    kind: field(z.enum(maintenanceKinds).default('repair'), { filter: true }),
    state: state(maintenanceMachine, { filter: true }),
    at: field(Moment, { sort: true, filter: true }),
    engineer: field(z.string().trim().max(64).default('')),
    found: field(Text),
    workDone: field(Text),
    currency: field(z.enum(currencies).default('1')),
    parts: field(z.array(Part).max(50).default([])),
    photos: field(z.array(Id).max(MOST_PHOTOS).default([]), { help: true }),
    merchantId: read(Id.nullable(), { filter: true }),
    merchantName: joined(z.string().nullable(), { text: 'maintenance.merchantId' }),
    shopId: read(Id.nullable(), { filter: true }),
    shopName: joined(z.string().nullable(), { text: 'maintenance.shopId' }),
    deptName: joined(z.string(), { text: 'device.dept' }),
    createdBy: read(z.string()),
    createdAt: read(Moment, { sort: true }),
  },
  { rowClass: 'owned', order: '-at', search: { text: ['sn', 'engineer', 'found'] } },
);

const can = <A extends string>(act: A) => `merchant:maintenance:${act}` as const;
export const maintenanceCalls = calls('merchant', '/maintenanceRecord', {
  ...crud(
    Maintenance,
    { see: can('page'), add: can('add'), update: can('update'), delete: can('delete') },
    { faults: { add: ['FILE_KIND_REFUSED'], update: ['FILE_KIND_REFUSED', 'MAINTENANCE_DONE'] } },
  ),
  ...moves(Maintenance, { finish: can('update') }),
});
