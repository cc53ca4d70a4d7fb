import { countCalls } from '@mooring/contract/inventory/count';
import { dispatchCalls } from '@mooring/contract/inventory/dispatch';
import { Entry, entryCalls, Stock, stockCalls } from '@mooring/contract/inventory/stock';
import { bind } from '../../kit/bind-page.ts';
import { useDepts, useProducts } from '../../kit/choices.ts';
import { ListView } from '../../kit/list/list-view.tsx';
import { bulkAct, type PageAction } from '../../kit/list/types.ts';
import { ProductPicture } from '../../kit/product-picture.tsx';
import { useCall } from '../../kit/queries.ts';
import { listOf } from '../../kit/resource/resource-list.ts';
import { tabsPage } from '../../kit/tabs-page.tsx';
import { go } from '../../kit/view.ts';
import { ScrollRegion } from '../../ui/scroll-region.tsx';
import { useT } from '../../ui/words.ts';
import { counts } from './counts.tsx';
import { StockIn } from './stock-in.tsx';
import { targetField } from './target-pick.tsx';
import './inventory.css';

const devicePath = (id: number) => `/device/deviceDetail/${id}`;
const document = { name: 'document', label: 'stock.document', help: 'stock.document.help' } as const;
const remark = { name: 'remark', label: 'stock.remark', kind: 'area' } as const;

const stock = listOf(Stock, stockCalls, {
  code: 'inventory.stock',
  texts: { add: 'stock.in', edit: 'dispatch.add', delete: 'dispatch.delete' },
  columns: [
    { key: 'sn', link: ({ id }: { readonly id: number }) => devicePath(id), width: 180 },
    { key: 'productName', width: 190 },
    { key: 'deptName', width: 180 },
    { key: 'since', width: 170 },
    { key: 'entryType', width: 210 },
    { key: 'document', width: 180 },
  ],
  filters: [
    { field: 'productId', label: 'device.product', useChoices: useProducts },
    { field: 'deptId', label: 'device.dept', useChoices: useDepts },
    { field: 'entryType', label: 'stock.entryType', names: 'entry.type.' },
    { field: 'since', label: 'stock.since' },
  ],
  bulk: [
    bulkAct(dispatchCalls.fromStock, {
      label: 'dispatch.add.many',
      icon: 'dispatch',
      successText: 'dispatch.add.done',
      form: {
        fields: [
          targetField,
          { name: 'number', label: 'dispatch.number', help: 'dispatch.number.help' },
          { name: 'remark', label: 'dispatch.remark', kind: 'area' },
        ],
        initial: { number: '', remark: '' },
        carries: ['toName'],
      },
    }),
    bulkAct(stockCalls.batchOut, {
      label: 'stock.out',
      icon: 'right',
      text: 'stock.out.about',
      successText: 'stock.out.done',
      form: { fields: [document, remark], initial: { document: '', remark: '' } },
    }),
  ],
  nameOf: (row) => row.sn,
  open: ({ id }) => devicePath(id),
  empty: { title: 'stock.empty', text: 'stock.emptyText', icon: 'stock' },
});

const entries = listOf(Entry, entryCalls, {
  code: 'inventory.entries',
  texts: { add: 'stock.in', edit: 'dispatch.add', delete: 'dispatch.delete' },
  columns: [
    { key: 'createdAt', width: 170 },
    { key: 'type', width: 230 },
    { key: 'sn', link: ({ deviceId }: { readonly deviceId: number }) => devicePath(deviceId), width: 180 },
    { key: 'document', width: 180 },
    { key: 'byName', width: 160 },
    { key: 'deptName', width: 180 },
  ],
  filters: [
    { field: 'type', label: 'entry.type', names: 'entry.type.' },
    { field: 'deptId', label: 'device.dept', useChoices: useDepts },
    { field: 'createdAt', label: 'entry.createdAt' },
  ],
  nameOf: (row) => row.sn,
  open: ({ deviceId }) => devicePath(deviceId),
  empty: { title: 'entry.empty', text: 'entry.emptyText', icon: 'receipt' },
});

/** What lies there of each product; one of them filters the list. */
function Products() {
  const t = useT();
  const { data = [] } = useCall(stockCalls.products, {}, { keep: true });
  if (data.length === 0) return null;
  return (
    <ScrollRegion label={t('stock.products')} className="m-stock-products">
      {data.map((one) => (
        <button
          key={one.id}
          type="button"
          className="m-panel m-stock-product"
          onClick={() => go(`/inventory/device/page?s.productId=${one.id}`)}
        >
          <ProductPicture of={one} size={32} />
          <span className="m-stack-tight">
            <span>{one.name}</span>
            <strong>{t('stock.products.count', { n: one.count })}</strong>
          </span>
        </button>
      ))}
    </ScrollRegion>
  );
}

const tabs = [
  { key: 'stock', title: 'stock.tab', Body: () => <ListView spec={stock} queryPrefix="s." /> },
  { key: 'entries', title: 'entry.title', Body: () => <ListView spec={entries} queryPrefix="e." /> },
  { key: 'counts', title: 'stockCount.title', Body: () => <ListView spec={counts} queryPrefix="c." /> },
] as const;

const actions: readonly PageAction[] = [
  { key: 'count', label: 'stockCount.new', icon: 'stock', call: countCalls.save, to: '/inventory/device/page/count/new', aside: true },
  {
    key: 'in',
    label: 'stock.in',
    icon: 'add',
    primary: true,
    call: stockCalls.warehouse,
    Dialog: bind<object, { onClose: () => void }>(StockIn, {}),
  },
];

/** What is on the shelf, and how it came there. */
export const stockPage = tabsPage({ title: 'stock.title', tabs, actions, Above: Products });
