import { z } from 'zod';
import { ScreenSize } from '../device/schemas.ts';
import { call, calls } from '../kit/call.ts';
import { Id, ref } from '../kit/schema.ts';

/** What a terminal reports of itself, by name: whoever may see the terminal, and the content, is told. */
export const shownCalls = calls('desktop', '/customizeDesktop/device', {
  shown: call({
    can: 'device:device:page||device:all:page',
    reads: true,
    input: z.strictObject({ deviceId: ref('device') }),
    /** `screen` is which one of a desktop for several is shown, by what the terminal says of its own. */
    output: z.array(z.object({ section: z.string(), id: Id, name: z.string(), screen: ScreenSize.nullable() })),
  }),
});
