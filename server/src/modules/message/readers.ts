import { messageCalls } from '@mooring/contract/message/calls';
import { noticeCalls } from '@mooring/contract/message/notice-calls';
import { all, exact } from '../../platform/db/criteria.ts';
import { page } from '../../platform/db/page.ts';
import type { Handler } from '../../platform/module.ts';
import { t } from '../../platform/texts/translate.ts';
import type { Cell } from '../../platform/work/defuse.ts';
import { listExporter, momentCell } from '../../platform/work/exporter.ts';
import { unhidden } from '../access/api.ts';
import { sentTypes } from './send-message.ts';

/** Who was told, as a delivery's row joined with the person says it. */
interface Delivered {
  readonly id: number;
  readonly name: string;
  readonly account: string;
  readonly dept_name: string;
  readonly status: string;
  readonly read_at: Date | null;
}
const readerOf = (row: Delivered) => ({
  id: row.id,
  name: row.name,
  account: row.account,
  deptName: row.dept_name,
  status: row.status,
  readAt: row.read_at,
});

interface Reader {
  readonly name: string;
  readonly account: string;
  readonly deptName: string;
  readonly readAt: Date | null;
}
/** Of messages and of notices. */
const columns = {
  name: { title: 'message.reader', cell: (row: Reader): Cell => row.name },
  readAt: { title: 'message.readAt', cell: (row: Reader, lang: string): Cell => momentCell(row.readAt) ?? t(lang, 'life.message.unread') },
  deptName: { title: 'message.dept', cell: (row: Reader): Cell => row.deptName },
  account: { title: 'message.account', cell: (row: Reader): Cell => row.account },
} as const;

const selected = ['d.id', 'd.status', 'd.read_at', 'u.name', 'u.account', 'o.name as dept_name'] as const;
const listed = { sorts: { status: 'd.status', name: 'u.name' }, id: 'd.id', map: readerOf } as const;

/** To whom of the scope a sent message went, and who has read it. Whoever removed it from their list has no row any more. */
export const pageReaders: Handler<typeof messageCalls.readers> = async (ctx, { criteria, page: wanted }) => {
  const path = ctx.scope.path;
  const query = ctx.db
    .selectFrom('message_delivery as d')
    .innerJoin('message_message as m', 'm.id', 'd.message_id')
    .innerJoin('account_user as u', 'u.id', 'd.user_id')
    .innerJoin('org_dept as o', 'o.id', 'u.dept_id')
    .select(selected)
    .where('m.type', 'in', sentTypes)
    .where('m.dept_path', '>=', path)
    .where('m.dept_path', '<', `${path}~`)
    .where(all(await unhidden(ctx), exact('d.message_id', criteria.messageId), exact('d.status', criteria.status)));
  return page(ctx.db, query, { page: wanted, ...listed });
};

/** To whom of the scope a notice went, and who has read it. */
export const pageNoticeReaders: Handler<typeof noticeCalls.readers> = async (ctx, { criteria, page: wanted }) => {
  const query = ctx.db
    .selectFrom('message_notice_delivery as d')
    .innerJoin('message_notice as n', 'n.id', 'd.notice_id')
    .innerJoin('account_user as u', 'u.id', 'd.user_id')
    .innerJoin('org_dept as o', 'o.id', 'u.dept_id')
    .select(selected)
    .where(all(await unhidden(ctx), exact('d.notice_id', criteria.noticeId), exact('d.status', criteria.status)));
  return page(ctx.db, query, { page: wanted, ...listed });
};

const exported = { sort: 'name', columns } as const;
export const readerExporter = listExporter<Reader>(messageCalls.exportReaders, {
  title: 'message.readers',
  page: pageReaders,
  ...exported,
});
export const noticeReaderExporter = listExporter<Reader>(noticeCalls.exportReaders, {
  title: 'notice.readers',
  page: pageNoticeReaders,
  ...exported,
});
