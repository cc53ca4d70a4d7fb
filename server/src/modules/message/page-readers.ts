import { messageCalls } from '@mooring/contract/message/calls';
import { all, exact } from '../../platform/db/criteria.ts';
import { page } from '../../platform/db/page.ts';
import type { Handler } from '../../platform/module.ts';
import { listExporter } from '../../platform/work/exporter.ts';
import { unhidden } from '../access/api.ts';
import { type Reader, readerColumns, readerOf } from './readers.ts';
import { sentTypes } from './send-message.ts';

/** To whom of the scope a sent message went, and who has read it. Whoever removed it from their list has no row any more. */
export const pageReaders: Handler<typeof messageCalls.readers> = async (ctx, { criteria, page: wanted }) => {
  const path = ctx.scope.path;
  const query = ctx.db
    .selectFrom('message_delivery as d')
    .innerJoin('message_message as m', 'm.id', 'd.message_id')
    .innerJoin('account_user as u', 'u.id', 'd.user_id')
    .innerJoin('org_dept as o', 'o.id', 'u.dept_id')
    .select(['d.id', 'd.status', 'd.read_at', 'u.name', 'u.account', 'o.name as dept_name'])
    .where('m.type', 'in', sentTypes)
    .where('m.dept_path', '>=', path)
    .where('m.dept_path', '<', `${path}~`)
    .where(all(await unhidden(ctx), exact('d.message_id', criteria.messageId), exact('d.status', criteria.status)));
  return page(ctx.db, query, {
    page: wanted,
    sorts: { status: 'd.status', name: 'u.name' },
    id: 'd.id',
    map: readerOf,
  });
};

export const readerExporter = listExporter<Reader>(messageCalls.exportReaders, {
  title: 'message.readers',
  sort: 'name',
  page: pageReaders,
  columns: readerColumns,
});
