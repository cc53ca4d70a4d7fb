import { z } from 'zod';
import { call, calls } from '../kit/call.ts';
import { Moment } from '../kit/schema.ts';

/** Forwarding of the log by syslog; it is set up as a setting of the installation. */
export const forwardCalls = calls('audit-log', '/sys/logs/forward', {
  state: call({
    can: 'settings:system:page',
    reads: true,
    output: z.object({
      enabled: z.boolean(),
      sentAt: Moment.nullable(),
      failingSince: Moment.nullable(),
      /** What the last try met. */
      error: z.string().nullable(),
      /** Entries that wait, up to 100,000, and since when. */
      waiting: z.int(),
      waitingSince: Moment.nullable(),
      clientCertificate: z.boolean(),
    }),
  }),
  /** Sends one message with what is saved, and says whether the receiver took it. */
  test: call({
    can: 'settings:system:update',
    stepUp: true,
    tx: 'own',
    output: z.object({ delivered: z.boolean(), error: z.string().nullable() }),
    faults: ['FORWARD_UNSET', 'SETTING_ADMINISTRATOR'],
  }),
});
