import { z } from 'zod';
import { type Can, call } from './call.ts';
import { Id, ref } from './schema.ts';

/** A text key, with the figures of its text. */
const SaidOf = z.object({ key: z.string(), params: z.record(z.string(), z.union([z.string(), z.number()])) });

/** What a spreadsheet would bring, and every cell of it that is wrong. `work`: the job that takes it, once nothing is. */
export const ImportOutcome = z.object({
  rows: z.int(),
  /** Those with nothing wrong in them. */
  good: z.int(),
  /** `words` say it more closely than the fault does. */
  wrong: z.array(z.object({ row: z.int(), column: z.string(), fault: z.string(), words: SaidOf.optional() })),
  work: Id.nullable(),
});

const sheet = { file: ref('file'), preview: z.boolean().default(false) };
const answered = {
  tx: 'own',
  output: ImportOutcome,
  faults: ['SHEET_BROKEN', 'SHEET_TOO_LARGE', 'SHEET_HEADER'],
  timeout: 60,
} as const;

/** `file` is an uploaded attachment (kind 8). Wrong rows are named and nothing is taken; without any it goes on in the background. */
export const importing = (can: Can, more: { readonly stepUp?: boolean; readonly tokens?: true } = {}) =>
  call({ can, ...more, ...answered, input: z.strictObject(sheet) });

/** The same for rows that need nothing of each other: `skipWrong` leaves out those with something wrong in them. */
export const importingPartly = (can: Can) =>
  call({ can, ...answered, input: z.strictObject({ ...sheet, skipWrong: z.boolean().default(false) }) });

/** A sheet to fill in, in the person's language. */
export const importTemplate = (can: Can) => call({ can, reads: true, wire: 'binary' });
