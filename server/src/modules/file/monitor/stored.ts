import { type StoredFile, uploadMonitorCalls } from '@mooring/contract/file/upload-monitor-calls';
import { Fault, fault } from '@mooring/contract/kit/fault';
import { sql } from 'kysely';
import type { z } from 'zod';
import { allowedActions, allowing } from '../../../platform/allowed-actions.ts';
import type { Ctx } from '../../../platform/context.ts';
import { candidates } from '../../../platform/db/candidates.ts';
import { all, contains, exact, range } from '../../../platform/db/criteria.ts';
import { page } from '../../../platform/db/page.ts';
import type { FileOwner } from '../../../platform/module.ts';
import { t } from '../../../platform/texts/translate.ts';
import { listExporter, momentCell } from '../../../platform/work/exporter.ts';
import { unhidden } from '../../access/api.ts';
import { removeFile } from '../delete-file.ts';
import { fileById } from '../file-queries.ts';
import { ofDept } from './of-dept.ts';
import { ofPerson, seenUploader } from './of-person.ts';
import { usedAmong } from './used-among.ts';

type Row = z.input<typeof StoredFile>;
type Owners = () => readonly FileOwner[];

export const pageFiles = (owners: Owners) => async (ctx: Ctx, input: Parameters<typeof filesOf>[1]) => {
  const found = await filesOf(ctx, input);
  const used = await ctx.unscoped((db) =>
    usedAmong(
      db,
      owners(),
      found.content.map((row) => row.id),
    ),
  );
  return {
    ...found,
    content: found.content.map(
      (row): Row => ({
        id: row.id,
        fileName: row.name,
        fileType: row.kind,
        size: row.size,
        userName: row.user_name,
        deptName: row.dept_name,
        createdAt: row.created_at,
        expiresAt: row.expires_at,
        used: used.has(row.id),
        ...allowing(used.has(row.id) ? [] : allowedActions(ctx, { delete: uploadMonitorCalls.delete })),
      }),
    ),
  };
};

async function filesOf(ctx: Ctx, { criteria, page: wanted }: z.output<typeof uploadMonitorCalls.files.input>) {
  const named = contains('f.name', criteria.fileName);
  const query = ctx.db
    .selectFrom('file_file as f')
    .leftJoin('account_user as u', seenUploader(await unhidden(ctx)))
    .leftJoin('org_dept as o', (join) => join.on(sql<boolean>`o.id = dept_of_path(f.dept_path)`))
    .selectAll('f')
    .select(['u.name as user_name', 'o.name as dept_name'])
    .where('f.dept_path', '>=', ctx.scope.path)
    .where('f.dept_path', '<', `${ctx.scope.path}~`)
    .where(
      all(
        named && (await candidates(ctx, 'file_file', named, 'f')),
        exact('f.kind', criteria.fileType),
        ofDept('f.dept_path', criteria.deptId),
        ofPerson(criteria.userId),
        range('f.created_at', criteria.createdAt),
      ),
    );
  const map = (row: Found) => row;
  return page(ctx.db, query, { page: wanted, sorts: { createdAt: 'f.created_at', size: 'f.size' }, id: 'f.id', map });
}
interface Found {
  readonly id: number;
  readonly name: string;
  readonly kind: string;
  readonly size: number;
  readonly created_at: Date;
  readonly expires_at: Date | null;
  readonly user_name: string | null;
  readonly dept_name: string | null;
}

export const fileExporter = (owners: Owners) =>
  listExporter<Row>(uploadMonitorCalls.fileExport, {
    title: 'upload.files',
    sort: 'createdAt',
    page: pageFiles(owners),
    columns: {
      fileName: { title: 'upload.fileName', cell: (row) => row.fileName },
      fileType: { title: 'upload.fileType', cell: (row, lang) => t(lang, `upload.kind.${row.fileType}`) },
      size: { title: 'upload.size', cell: (row) => row.size },
      used: { title: 'upload.used', cell: (row, lang) => t(lang, row.used ? 'kit.yes' : 'kit.no') },
      userName: { title: 'upload.user', cell: (row) => row.userName },
      deptName: { title: 'upload.dept', cell: (row) => row.deptName },
      createdAt: { title: 'upload.storedAt', cell: (row) => momentCell(row.createdAt) },
      expiresAt: { title: 'upload.expiresAt', cell: (row) => momentCell(row.expiresAt) },
    },
  });

/** Deletes anybody's file in reach that nothing names. Faults: NOT_FOUND, FILE_IN_USE. */
export const deleteStored = (owners: Owners) => async (ctx: Ctx, id: number) => {
  const file = await fileById(ctx.db, id);
  if (!file) throw fault('NOT_FOUND');
  if ((await ctx.unscoped((db) => usedAmong(db, owners(), [id]))).has(id)) throw new Fault('FILE_IN_USE');
  return removeFile(ctx, file);
};
