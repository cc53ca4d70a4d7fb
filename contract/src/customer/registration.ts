import { z } from 'zod';
import { deviceCriteria } from '../device/calls.ts';
import { call, calls } from '../kit/call.ts';
import { entity } from '../kit/entity.ts';
import { joined, read, state } from '../kit/field.ts';
import { BulkOutcome, bulkOf, selectionOf } from '../kit/page.ts';
import { crud } from '../kit/resource-calls.ts';
import { Id, Moment, ref } from '../kit/schema.ts';
import { iotRegistrationMachine } from './state-machines.ts';

/** A terminal at AWS IoT Core: a thing there, with the certificate that the terminal has here. */
export const IotRegistration = entity(
  'iotRegistration',
  {
    sn: read(z.string(), { sort: true, code: true, text: 'device.sn' }),
    customerId: read(Id, { filter: true, text: 'iotMessage.customer' }),
    customerName: joined(z.string(), { text: 'iotMessage.customer' }),
    deviceId: read(Id.nullable(), { text: 'device.sn' }),
    state: state(iotRegistrationMachine, { filter: true }),
    reason: read(z.string().nullable()),
    productId: read(Id.nullable(), { filter: true, text: 'device.product' }),
    productName: joined(z.string().nullable(), { text: 'device.product' }),
    thingName: read(z.string(), { code: true }),
    registeredAt: read(Moment.nullable()),
    createdAt: read(Moment, { sort: true }),
  },
  { rowClass: 'owned', order: '-createdAt', search: { text: ['sn'] } },
);

const can = 'customer:iot:register';
const many = call({ can, input: bulkOf(IotRegistration.criteria), output: BulkOutcome, tx: 'own' });
/** Terminals that one call takes at most. */
export const IOT_REGISTER_MOST = 100_000;

/** Specification section 7, `/aws/*`. */
export const awsCalls = calls('customer', '/aws', {
  ...crud(IotRegistration, { see: 'customer:iot:page' }),
  register: call({
    can,
    input: z.strictObject({ customerId: ref('iotCustomer'), of: selectionOf(deviceCriteria), preview: z.boolean().default(false) }),
    output: BulkOutcome,
    faults: ['IOT_NOT_AWS', 'IOT_REGISTER_MANY'],
    tx: 'own',
    about:
      'Terminals of the platform’s organisation are registered there, in the background: named ones, or all that match a filter (a group is one). Those that are registered already stay so. More than 1,000 go on as a background job.',
  }),
  retry: many,
  revoke: many,
  counts: call({
    can: 'customer:iot:page',
    reads: true,
    input: z.strictObject({ customerId: ref('iotCustomer') }),
    output: z.object({
      counts: z.record(z.string(), z.int()),
      capped: z.boolean(),
    }),
  }),
});
