import { Fault } from '@mooring/contract/kit/fault';
import { DictEntry, dictCalls } from '@mooring/contract/settings/dict-calls';
import type { Ctx } from '../../platform/context.ts';
import type { Handler } from '../../platform/module.ts';
import { exportColumns } from '../../platform/resource/export-columns.ts';
import { cellOf } from '../../platform/work/cell.ts';
import { listExporter, startExport } from '../../platform/work/exporter.ts';
import { knownLanguages } from '../language/api.ts';
import { pageEntries } from './dicts.ts';
import { type Entry, labelColumn, languagesOf, read, titles } from './entry-columns.ts';

const own = exportColumns(DictEntry);
const labels = Object.fromEntries(
  knownLanguages.map(({ code }) => {
    const column = labelColumn(code);
    return [column, { title: titles[column] ?? 'settings.dict.entry.label', cell: ({ labels: said }: Entry) => said[code] ?? '' }];
  }),
);

export const entryExporter = listExporter<Entry>(dictCalls.entryExport, {
  title: 'settings.dict.entries',
  page: pageEntries,
  sort: 'sort',
  columns: {
    ...(own as object),
    dict: { title: titles.dict, cell: (row) => row.dictCode },
    ...labels,
    revision: { title: titles.revision, cell: (row, lang) => cellOf(row.revision, undefined, lang) },
  },
});

/** All that an import takes, whichever columns are shown: what goes out can come back. */
export const exportEntries: Handler<typeof dictCalls.entryExport> = async (ctx: Ctx, input) => {
  if (input.columns.some((column) => !Object.hasOwn(entryExporter.columns, column)))
    throw new Fault('EXPORT_COLUMN', { fields: { columns: 'fault.EXPORT_COLUMN' } });
  const dictId = input.criteria.dictId;
  const languages = await languagesOf(ctx.db, typeof dictId === 'number' ? dictId : null);
  const asked = Object.keys(read).filter((column) => input.columns.includes(column));
  const columns = ['dict', 'value', ...languages.map(labelColumn), 'sort', 'enabled', 'revision', ...asked];
  return startExport(ctx, entryExporter, { ...input, columns });
};
