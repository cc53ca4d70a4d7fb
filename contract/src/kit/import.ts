import { z } from 'zod';
import { type Can, call } from './call.ts';
import { Id, ref } from './schema.ts';

/** What a spreadsheet would bring, and every cell of it that is wrong. `work`: the job that takes it, once nothing is. */
export const ImportOutcome = z.object({
  rows: z.int(),
  wrong: z.array(z.object({ row: z.int(), column: z.string(), fault: z.string() })),
  work: Id.nullable(),
});

/** `file` is an uploaded attachment (kind 8). Wrong rows are named and nothing is taken; without any it goes on in the background. */
export const importing = (can: Can, more: { readonly stepUp?: boolean; readonly tokens?: true } = {}) =>
  call({
    can,
    ...more,
    tx: 'own',
    input: z.strictObject({ file: ref('file'), preview: z.boolean().default(false) }),
    output: ImportOutcome,
    faults: ['SHEET_BROKEN', 'SHEET_TOO_LARGE', 'SHEET_HEADER'],
    timeout: 60,
  });

/** A sheet to fill in, in the person's language. */
export const importTemplate = (can: Can) => call({ can, reads: true, wire: 'binary' });
