import { CountLine, countCalls, countLineCalls, type countResults, StockCount } from '@mooring/contract/inventory/count';
import type { RowOf } from '@mooring/contract/kit/entity';
import { useDepts } from '../../kit/choices.ts';
import { detailPage } from '../../kit/detail/detail-page.tsx';
import { ListView } from '../../kit/list/list-view.tsx';
import { bulkAct } from '../../kit/list/types.ts';
import { listOf } from '../../kit/resource/resource-list.ts';
import { StockFound } from './stock-in.tsx';

type Row = RowOf<typeof StockCount>;
const countPath = ({ id }: { readonly id: number }) => `/inventory/device/page/count/${id}`;
/** The terminals that a figure counts. */
const linesOf =
  (result: (typeof countResults)[number]) =>
  (row: Row): string | undefined =>
    row[result] > 0 ? `${countPath(row)}?result=${result}` : undefined;
const texts = { add: 'stockCount.new', edit: 'stockCount.new', delete: 'dispatch.delete' } as const;

export const counts = listOf(
  StockCount,
  { page: countCalls.page, export: countCalls.export },
  {
    code: 'inventory.counts',
    texts,
    columns: [
      { key: 'createdAt', link: countPath, width: 170 },
      { key: 'deptName', width: 180 },
      { key: 'productName', width: 170 },
      { key: 'expected', width: 110 },
      { key: 'found', width: 100 },
      { key: 'missing', link: linesOf('missing'), width: 100 },
      { key: 'unexpected', link: linesOf('unexpected'), width: 120 },
      { key: 'doubled', width: 130 },
      { key: 'byName', width: 150 },
      { key: 'remark', width: 200 },
    ],
    filters: [
      { field: 'deptId', label: 'device.dept', useChoices: useDepts },
      { field: 'createdAt', label: 'entry.createdAt' },
    ],
    nameOf: (row) => String(row.createdAt),
    open: countPath,
    empty: { title: 'stockCount.empty', text: 'stockCount.emptyText', icon: 'stock' },
  },
);

const lines = listOf(CountLine, countLineCalls, {
  code: 'inventory.countLines',
  texts,
  columns: [
    {
      key: 'sn',
      width: 220,
      link: ({ deviceId }: { readonly deviceId: number | null }) => (deviceId === null ? undefined : `/device/deviceDetail/${deviceId}`),
    },
    { key: 'result', width: 200 },
    { key: 'times', width: 140 },
  ],
  filters: [{ field: 'result', label: 'countLine.result', names: 'countLine.result.' }],
  bulk: [bulkAct(countLineCalls.serials, { label: 'stock.in', icon: 'stock', Dialog: StockFound })],
  nameOf: (row) => row.sn,
});
const Lines = ({ row }: { row: Row }) => <ListView spec={lines} fixed={{ countId: row.id }} />;

/** A count as it was saved, SN by SN. */
export const countResultPage = detailPage({
  call: countCalls.detail,
  nameOf: (row) => row.deptName,
  note: (row) => row.productName || null,
  facts: [
    { key: 'expected', title: 'stockCount.expected', kind: 'number' },
    { key: 'found', title: 'stockCount.found', kind: 'number' },
    { key: 'missing', title: 'stockCount.missing', kind: 'number' },
    { key: 'unexpected', title: 'stockCount.unexpected', kind: 'number' },
    { key: 'doubled', title: 'stockCount.doubled', kind: 'number' },
    { key: 'byName', title: 'entry.byName' },
    { key: 'remark', title: 'stock.remark' },
    { key: 'createdAt', title: 'entry.createdAt', kind: 'moment' },
  ],
  tabs: [{ key: 'lines', title: 'countLine.title', Body: Lines }],
});
