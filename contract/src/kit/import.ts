import { z } from 'zod';
import { type Can, call } from './call.ts';
import { Id, Moment, ref } from './schema.ts';

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

/** Of a file with many rows: all of them or none, or those alone that are right. */
export const SheetMode = z.enum(['all', 'good']);
/** Wrong cells and changes that are listed one by one; the report has all of them. */
export const SHEET_SHOWN = 500;
const changed = z.object({ row: z.int(), label: z.string(), column: z.string(), from: z.string(), to: z.string(), isNew: z.boolean() });
/** What a file of many rows would bring; `column` is the key of what a column is called, or that itself. */
export const SheetChecked = z.object({
  rows: z.int(),
  good: z.int(),
  wrongCells: z.int(),
  /** The first of them. */
  wrong: z.array(z.object({ row: z.int(), column: z.string(), value: z.string(), fault: z.string(), words: SaidOf.optional() })),
  /** Of a batch change: rows that say something else than is there, those of them that add something, and the first of all these changes. */
  changing: z.int(),
  adding: z.int(),
  changes: z.array(changed),
  /** This organisation has imported this very file already. */
  before: z.object({ at: Moment, by: z.string(), rows: z.int() }).nullable(),
});
export type SheetChecked = z.infer<typeof SheetChecked>;

const readFaults = [
  'SHEET_BROKEN',
  'SHEET_TOO_LARGE',
  'SHEET_MERGED',
  'SHEET_COLUMN_UNKNOWN',
  'SHEET_COLUMN_MISSING',
  'SHEET_COLUMN_TWICE',
] as const;

/** Calls of a file of many rows. Checking writes nothing; `import` queues the work, which checks each row again as it writes it. */
export function sheetCalls<S extends z.ZodRawShape>(can: Can, given: S) {
  const Of = z.strictObject({ file: ref('file'), ...given });
  return {
    /** Header cells and an example, in the person's language. */
    template: call({ can, reads: true, wire: 'binary', input: z.strictObject(given) }),
    check: call({ can, reads: true, tx: 'own', input: Of, output: SheetChecked, faults: readFaults, timeout: 300 }),
    /** The wrong rows as a file, each with what is wrong with it: mended there, it is imported again. */
    report: call({ can, reads: true, tx: 'own', wire: 'binary', input: Of, faults: readFaults }),
    import: call({
      can,
      tx: 'own',
      input: z.strictObject({
        ...Of.shape,
        mode: SheetMode,
        /** How many rows are expected: its progress is told against them. */
        rows: z.int().min(1).max(1_000_000).optional(),
        /** The file was imported before, and is once more. */
        again: z.boolean().default(false),
      }),
      output: z.object({ work: Id }),
      faults: ['SHEET_AGAIN', 'SHEET_TOO_LARGE'],
    }),
  };
}
