import { type Upload, uploadMonitorCalls } from '@mooring/contract/file/upload-monitor-calls';
import { Fault, fault } from '@mooring/contract/kit/fault';
import { sql } from 'kysely';
import type { z } from 'zod';
import { allowedActions, allowing } from '../../../platform/allowed-actions.ts';
import type { Ctx } from '../../../platform/context.ts';
import { candidates } from '../../../platform/db/candidates.ts';
import { all, contains, exact, range } from '../../../platform/db/criteria.ts';
import { page } from '../../../platform/db/page.ts';
import type { Handler } from '../../../platform/module.ts';
import { t } from '../../../platform/texts/translate.ts';
import { listExporter, momentCell } from '../../../platform/work/exporter.ts';
import { unhidden } from '../../access/api.ts';
import type { Files } from '../files.ts';
import { endCancelled } from '../finish-upload.ts';
import { ofDept } from './of-dept.ts';
import { ofPerson, seenUploader } from './of-person.ts';

type Row = z.input<typeof Upload>;
/** Nobody takes away what is being put together, or is there already. */
const given: readonly string[] = ['uploading', 'failed'];

interface Found {
  readonly id: number;
  readonly name: string;
  readonly kind: string;
  readonly size: number;
  readonly parts: number;
  readonly state: string;
  readonly way: string;
  readonly reason: string | null;
  readonly created_at: Date;
  readonly touched_at: Date;
  readonly user_name: string | null;
  readonly dept_name: string | null;
  readonly parts_sent: number;
  readonly sent: number;
}

const uploadOf =
  (ctx: Ctx) =>
  (row: Found): Row => {
    const sent = row.state === 'done' || row.state === 'assembling' ? row.size : row.sent;
    const seconds = (row.touched_at.getTime() - row.created_at.getTime()) / 1000;
    return {
      id: row.id,
      fileName: row.name,
      fileType: row.kind,
      size: row.size,
      sent,
      partsSent: sent === row.size ? row.parts : row.parts_sent,
      parts: row.parts,
      state: row.state as Row['state'],
      way: row.way as Row['way'],
      reason: row.reason,
      userName: row.user_name,
      deptName: row.dept_name,
      createdAt: row.created_at,
      touchedAt: row.touched_at,
      seconds,
      bytesPerSecond: seconds > 0 ? Math.round(sent / seconds) : null,
      ...allowing(given.includes(row.state) ? allowedActions(ctx, { cancel: uploadMonitorCalls.cancel }) : []),
    };
  };

export const pageUploads: Handler<typeof uploadMonitorCalls.page> = async (ctx, { criteria, page: wanted }) => {
  const named = contains('f.name', criteria.fileName);
  const query = ctx.db
    .selectFrom('file_upload as f')
    .leftJoin('account_user as u', seenUploader(await unhidden(ctx)))
    .leftJoin('org_dept as o', (join) => join.on(sql<boolean>`o.id = dept_of_path(f.dept_path)`))
    .selectAll('f')
    .select(['u.name as user_name', 'o.name as dept_name'])
    .select(sql<number>`coalesce(f.received_parts, (select count(*) from file_part p where p.upload_id = f.id))::int`.as('parts_sent'))
    .select(sql<number>`coalesce(f.received, (select sum(p.size) from file_part p where p.upload_id = f.id), 0)::float8`.as('sent'))
    .where('f.dept_path', '>=', ctx.scope.path)
    .where('f.dept_path', '<', `${ctx.scope.path}~`)
    .where(
      all(
        named && (await candidates(ctx, 'file_upload', named, 'f')),
        exact('f.state', criteria.state),
        exact('f.kind', criteria.fileType),
        ofDept('f.dept_path', criteria.deptId),
        ofPerson(criteria.userId),
        range('f.created_at', criteria.createdAt),
      ),
    );
  return page(ctx.db, query, { page: wanted, sorts: { createdAt: 'f.created_at', size: 'f.size' }, id: 'f.id', map: uploadOf(ctx) });
};

export const uploadExporter = listExporter<Row>(uploadMonitorCalls.export, {
  title: 'upload.title',
  sort: 'createdAt',
  page: pageUploads,
  columns: {
    fileName: { title: 'upload.fileName', cell: (row) => row.fileName },
    fileType: { title: 'upload.fileType', cell: (row, lang) => t(lang, `upload.kind.${row.fileType}`) },
    state: { title: 'upload.state', cell: (row, lang) => t(lang, `upload.state.${row.state}`) },
    reason: { title: 'upload.reason', cell: (row, lang) => row.reason && t(lang, `fault.${row.reason}`) },
    way: { title: 'upload.way', cell: (row, lang) => t(lang, `upload.way.${row.way}`) },
    seconds: { title: 'upload.seconds', cell: (row) => row.seconds },
    size: { title: 'upload.size', cell: (row) => row.size },
    sent: { title: 'upload.sent', cell: (row) => row.sent },
    bytesPerSecond: { title: 'upload.speed', cell: (row) => row.bytesPerSecond },
    userName: { title: 'upload.user', cell: (row) => row.userName },
    deptName: { title: 'upload.dept', cell: (row) => row.deptName },
    createdAt: { title: 'upload.createdAt', cell: (row) => momentCell(row.createdAt) },
    touchedAt: { title: 'upload.touchedAt', cell: (row) => momentCell(row.touchedAt) },
  },
});

/** Somebody's upload is given up for them; its parts go. Who uploads is told at the next part. Faults: NOT_FOUND, UPLOAD_ENDED. */
export async function cancelOther(ctx: Ctx, files: Files, id: number): Promise<null> {
  const name = await ctx.inTx(async (db) => {
    const found = await db.selectFrom('file_upload').select(['name', 'state']).where('id', '=', id).forUpdate().executeTakeFirst();
    if (!found) throw fault('NOT_FOUND');
    if (!given.includes(found.state)) throw new Fault('UPLOAD_ENDED');
    await endCancelled(ctx, db, id);
    return found.name;
  });
  await files.staging.clear(id);
  ctx.audit({ target: name });
  return null;
}
