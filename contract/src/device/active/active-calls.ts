import { z } from 'zod';
import { call, calls } from '../../kit/call.ts';
import { Id, Moment } from '../../kit/schema.ts';

/** So many terminals are asked for their network; of more, the shares are those of a part. */
export const MOST_ASKED = 10_000;
export const CURVE_MINUTES = 60;
export const MOST_CHANGES = 50;

const ofProduct = z.strictObject({ productId: Id.optional() }).prefault({});
const can = 'device:active:page';

export const activeCalls = calls('device', '/device/active', {
  figures: call({
    can,
    reads: true,
    input: ofProduct,
    output: z.object({
      online: z.int(),
      /** In use: those that could be in contact. */
      total: z.int(),
      byProduct: z.array(z.object({ productId: Id, name: z.string(), count: z.int() })),
      byVersion: z.array(z.object({ version: z.string(), count: z.int() })),
      byNetwork: z.array(z.object({ network: z.string(), count: z.int() })),
      /** The networks are those of a part. */
      sampled: z.boolean(),
    }),
    about: 'Terminals in contact now, by product, version and network.',
  }),
  curve: call({
    can,
    reads: true,
    input: ofProduct,
    output: z.object({ content: z.array(z.object({ at: Moment, online: z.int(), came: z.int(), left: z.int() })) }),
    about: 'Terminals in contact within the last hour, minute by minute.',
  }),
  changes: call({
    can,
    reads: true,
    input: ofProduct,
    output: z.object({
      content: z.array(
        z.object({ key: z.string(), at: Moment, deviceId: Id.nullable(), sn: z.string(), deptName: z.string(), came: z.boolean() }),
      ),
    }),
    about: 'Who came into contact and who left it, the newest first; without an id where the terminal is deleted since.',
  }),
});
