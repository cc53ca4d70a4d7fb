import { z } from 'zod';
import { allowedActions } from '../kit/allowed-actions.ts';
import { call, calls } from '../kit/call.ts';
import { address, Id, Moment, ref } from '../kit/schema.ts';
import { deliveryCalls, TlsAddress } from '../settings/webhook-calls.ts';

/** Where another system of an app's owner hears of that app: of its versions, its subscriptions, and what becomes of it on terminals of subscribers. */
const Callback = z.object({
  /** That of the webhook which serves it. */
  id: Id,
  appId: Id,
  url: z.string(),
  /** Nothing got through since then. */
  failingSince: Moment.nullable(),
  /** When it is tried next, where nothing gets through, and why it last failed. */
  nextAt: Moment.nullable(),
  error: z.string().nullable(),
  /** Its developer is: nothing is sent or added meanwhile, and what waits goes out if it is resumed within a week. */
  suspended: z.boolean(),
  createdAt: Moment,
  ...allowedActions,
});
const OfApp = z.strictObject({ appId: ref('app') });
const can = 'app:sub:decide';
const Secret = z.object({ secret: z.string() });

/** One call-back address for each app. */
export const appCallbackCalls = calls('app', '/app/url/callback', {
  detail: call({ can, reads: true, input: OfApp, output: Callback.nullable() }),
  /** The secret that signs is in this answer only, and only where there was no address before. */
  set: call({
    can,
    tx: 'own',
    input: OfApp.extend({ url: address(TlsAddress) }),
    output: z.object({ secret: z.string().nullable(), row: Callback }),
    faults: ['ADDRESS_NOT_PUBLIC'],
  }),
  newSecret: call({ can, input: OfApp, output: Secret }),
  delete: call({ can, input: OfApp }),
  /** Sends a `webhook.test`. */
  test: call({ can, input: OfApp, faults: ['APP_NOT_DEVELOPER'] }),
  ...deliveryCalls(can, can),
});
