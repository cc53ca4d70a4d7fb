import { wrongToSet } from '@mooring/contract/device/thing/check-values';
import type { deviceThingCalls } from '@mooring/contract/device/thing/thing-calls';
import { Fault } from '@mooring/contract/kit/fault';
import type { Handler } from '../../../platform/module.ts';
import { runBulk } from '../run-bulk.ts';
import { publishedModels, refuseMisfits } from './thing-rows.ts';

/** What can be set of a product's terminals. */
export const settableOf: Handler<typeof deviceThingCalls.settable> = async (ctx, { productId }) => {
  const model = (await publishedModels(ctx.db, [productId])).get(productId);
  return { properties: (model?.properties ?? []).filter((one) => one.access === 'rw') };
};

/** The same values on many terminals of one product; each is checked once more before it is sent. */
export const setThings: Handler<typeof deviceThingCalls.setMany> = async (ctx, { of, productId, values, hours, preview }) => {
  const model = (await publishedModels(ctx.db, [productId])).get(productId);
  if (!model) throw new Fault('THING_NONE', { fields: { productId: 'fault.THING_NONE' } });
  refuseMisfits('values', wrongToSet(model, values));
  return runBulk(ctx, 'setThings', of, preview, { productId, values, hours });
};
