import { noticeCalls } from '@mooring/contract/message/notice-calls';
import { all, exact } from '../../platform/db/criteria.ts';
import { page } from '../../platform/db/page.ts';
import type { Handler } from '../../platform/module.ts';
import { t } from '../../platform/texts/translate.ts';
import { listExporter, momentCell } from '../../platform/work/exporter.ts';
import { unhidden } from '../access/api.ts';

/** To whom of the scope a notice went, and who has read it. */
export const pageNoticeReaders: Handler<typeof noticeCalls.readers> = async (ctx, { criteria, page: wanted }) => {
  const query = ctx.db
    .selectFrom('message_notice_delivery as d')
    .innerJoin('message_notice as n', 'n.id', 'd.notice_id')
    .innerJoin('account_user as u', 'u.id', 'd.user_id')
    .innerJoin('org_dept as o', 'o.id', 'u.dept_id')
    .select(['d.id', 'd.status', 'd.read_at', 'u.name', 'u.account', 'o.name as dept_name'])
    .where(all(await unhidden(ctx), exact('d.notice_id', criteria.noticeId), exact('d.status', criteria.status)));
  return page(ctx.db, query, {
    page: wanted,
    sorts: { status: 'd.status', name: 'u.name' },
    id: 'd.id',
    map: (row: Awaited<ReturnType<typeof query.executeTakeFirstOrThrow>>) => ({
      id: row.id,
      name: row.name,
      account: row.account,
      deptName: row.dept_name,
      status: row.status,
      readAt: row.read_at,
    }),
  });
};

interface Reader {
  readonly name: string;
  readonly account: string;
  readonly deptName: string;
  readonly readAt: Date | null;
}
export const noticeReaderExporter = listExporter<Reader>(noticeCalls.exportReaders, {
  title: 'notice.readers',
  sort: 'name',
  page: pageNoticeReaders,
  columns: {
    name: { title: 'message.reader', cell: (row) => row.name },
    readAt: { title: 'message.readAt', cell: (row, lang) => momentCell(row.readAt) ?? t(lang, 'life.message.unread') },
    deptName: { title: 'message.dept', cell: (row) => row.deptName },
    account: { title: 'message.account', cell: (row) => row.account },
  },
});
