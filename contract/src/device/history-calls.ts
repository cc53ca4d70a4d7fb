import { z } from 'zod';
import { call, calls } from '../kit/call.ts';
import { Moment, ref } from '../kit/schema.ts';
import { seeing } from './calls.ts';

/** The last day, week or two weeks. */
export const HistoryDays = z.enum(['1', '7', '14']);
export type HistoryDays = z.infer<typeof HistoryDays>;

const figure = z.number().nullable();
const input = z.strictObject({ id: ref('device'), days: HistoryDays.default('1') });
/** One for each hour, oldest first; without figures where nothing was heard of the terminal. The last one is its newest. */
const hours = <T extends z.ZodRawShape>(shape: T) => z.object({ content: z.array(z.object({ at: Moment, ...shape })) });

/** What a terminal's heartbeats told over time (specification section 7, `health` and `transport` of `/device/*`). */
export const deviceHistoryCalls = calls('device', '/device', {
  health: call({
    can: seeing,
    reads: true,
    input,
    output: hours({
      battery: figure,
      charging: z.boolean().nullable(),
      network: z.string().nullable(),
      signal: figure,
      storageTotal: figure,
      storageFree: figure,
      temperature: figure,
    }),
    about: 'Battery (%), signal (dBm), storage (bytes) and temperature (°C), hour by hour.',
  }),
  transport: call({
    can: seeing,
    reads: true,
    input,
    output: hours({ received: figure, sent: figure }),
    about: 'Bytes that the terminal received and sent within each hour, by its own counters `rxBytes` and `txBytes`.',
  }),
});
