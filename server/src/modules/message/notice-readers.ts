import { noticeCalls } from '@mooring/contract/message/notice-calls';
import { all, exact } from '../../platform/db/criteria.ts';
import { page } from '../../platform/db/page.ts';
import type { Handler } from '../../platform/module.ts';
import { listExporter } from '../../platform/work/exporter.ts';
import { unhidden } from '../access/api.ts';
import { type Reader, readerColumns, readerOf } from './readers.ts';

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
    map: readerOf,
  });
};

export const noticeReaderExporter = listExporter<Reader>(noticeCalls.exportReaders, {
  title: 'notice.readers',
  sort: 'name',
  page: pageNoticeReaders,
  columns: readerColumns,
});
