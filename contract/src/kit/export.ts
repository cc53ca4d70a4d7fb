import { z } from 'zod';
import { type Can, call } from './call.ts';
import { Id } from './schema.ts';

const Format = z.enum(['xlsx', 'csv']).default('xlsx');
const Columns = z
  .array(z.string().regex(/^[A-Za-z][\w.]{0,63}$/, 'invalid.column'))
  .min(1)
  .max(60);
const Begun = z.object({ work: Id });

/** Input of an export: exactly what is filtered, in the columns shown, as XLSX or CSV. */
export const exportOf = <C extends z.ZodType>(criteria: C) => z.strictObject({ criteria, format: Format, columns: Columns });
export type ExportInput = z.output<ReturnType<typeof exportOf<z.ZodType>>>;

/** Made in the background; its file waits in the task centre. */
export const exporting = <C extends z.ZodType>(can: Can, criteria: C) =>
  call({ can, input: exportOf(criteria), output: Begun, faults: ['EXPORT_COLUMN'] });
