import { z } from 'zod';
import { call, calls } from '../kit/call.ts';
import { Id, ref } from '../kit/schema.ts';

/** What a terminal reports of itself, by name: whoever may see the terminal, and the content, is told. */
export const shownCalls = calls('desktop', '/customizeDesktop/device', {
  shown: call({
    can: 'device:device:page||device:all:page',
    reads: true,
    input: z.strictObject({ deviceId: ref('device') }),
    output: z.array(z.object({ section: z.string(), id: Id, name: z.string() })),
  }),
});
