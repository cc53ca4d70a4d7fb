import { z } from 'zod';

const Table = z.object({ name: z.string(), columns: z.array(z.string()), rows: z.number() });
const Partition = z.object({ name: z.string(), parent: z.string(), bound: z.string() });
const Sequence = z.object({ name: z.string(), last: z.number() });

/** What a backup says about itself. It is written last, so that a file that was cut off has none. */
export const Manifest = z.object({
  format: z.literal(1),
  product: z.literal('mooring'),
  /** The last migration that the rows are of. */
  version: z.string(),
  madeAt: z.string(),
  tables: z.array(Table),
  partitions: z.array(Partition),
  sequences: z.array(Sequence),
  jobs: z.number(),
  files: z.number(),
});
export type Manifest = z.infer<typeof Manifest>;

export const manifestEntry = 'manifest.json';
export const jobsEntry = 'jobs.jsonl';
export const rowsEntry = (table: string): string => `rows/${table}.copy`;
export const filesPrefix = 'files/';

/** Of the data folder, all but the database's own files and what belongs to this start of the process or to the rows of this moment. */
export const isKept = (name: string): boolean => !/^(postgres|mooring\.lock|audit-tip|incoming)/.test(name);
