import { z } from 'zod';
import { calls } from '../kit/call.ts';
import { entity } from '../kit/entity.ts';
import { read } from '../kit/field.ts';
import { crud } from '../kit/resource-calls.ts';
import { Id, Moment } from '../kit/schema.ts';

export const iotMessageKinds = ['event', 'property', 'presence'] as const;
/** `refused`: the platform will never take it. `dropped`: it waited for too long, or behind too many. */
export const iotFates = ['waiting', 'sent', 'refused', 'dropped'] as const;

/** What a terminal said, on its way to an outside IoT platform. */
export const IotMessage = entity(
  'iotMessage',
  {
    at: read(Moment, { sort: true, filter: true }),
    customerId: read(Id, { filter: true, text: 'iotMessage.customer' }),
    sn: read(z.string(), { code: true, text: 'device.sn' }),
    deviceId: read(Id.nullable(), { text: 'device.sn' }),
    kind: read(z.enum(iotMessageKinds)),
    name: read(z.string()),
    seq: read(z.int()),
    fate: read(z.enum(iotFates), { filter: true }),
    reason: read(z.string().nullable()),
    tries: read(z.int()),
    again: read(z.int()),
    messageId: read(z.string(), { code: true }),
    endedAt: read(Moment.nullable()),
  },
  { rowClass: 'owned', order: '-at', search: { text: ['sn'] } },
);

const plain = crud(IotMessage, { see: 'customer:iot:page' });
export const iotMessageCalls = calls('customer', '/thirdServerIot/message', {
  page: plain.page,
  detail: plain.detail,
  export: plain.export,
});
