import { t } from '../../platform/texts/translate.ts';
import type { Cell } from '../../platform/work/defuse.ts';
import { momentCell } from '../../platform/work/exporter.ts';

/** Who was told, as a delivery's row joined with the person says it. */
interface Delivered {
  readonly id: number;
  readonly name: string;
  readonly account: string;
  readonly dept_name: string;
  readonly status: string;
  readonly read_at: Date | null;
}
export const readerOf = (row: Delivered) => ({
  id: row.id,
  name: row.name,
  account: row.account,
  deptName: row.dept_name,
  status: row.status,
  readAt: row.read_at,
});

export interface Reader {
  readonly name: string;
  readonly account: string;
  readonly deptName: string;
  readonly readAt: Date | null;
}
/** Of messages and of notices. */
export const readerColumns = {
  name: { title: 'message.reader', cell: (row: Reader): Cell => row.name },
  readAt: { title: 'message.readAt', cell: (row: Reader, lang: string): Cell => momentCell(row.readAt) ?? t(lang, 'life.message.unread') },
  deptName: { title: 'message.dept', cell: (row: Reader): Cell => row.deptName },
  account: { title: 'message.account', cell: (row: Reader): Cell => row.account },
} as const;
