import { Receipt, receiptCalls } from '@mooring/contract/inventory/receipt';
import { useDepts } from '../../kit/choices.ts';
import { listPage } from '../../kit/list/list-page.tsx';
import { off } from '../../kit/resource/entity-column.tsx';
import { answers } from './receiving.ts';

const receiptPath = ({ id }: { readonly id: number }) => `/device/receipt/page/${id}`;

/** What other organisations sent. */
export const receiptList = listPage(
  Receipt,
  { page: receiptCalls.page, export: receiptCalls.export },
  {
    code: 'inventory.receipt',
    texts: { add: 'receipt.accept', edit: 'dispatch.add', delete: 'dispatch.delete' },
    columns: [
      { key: 'number', link: receiptPath, width: 190 },
      { key: 'fromName', width: 190 },
      { key: 'deptName', width: 180 },
      { key: 'waiting', width: 110 },
      { key: 'accepted', width: 100 },
      { key: 'refused', width: 120 },
      { key: 'gone', width: 110 },
      { key: 'document', width: 160 },
      { key: 'createdAt', width: 170 },
      off('signedBy'),
      off('sentBy'),
      off('remark'),
    ],
    filters: [
      { field: 'deptId', label: 'receipt.deptId', useChoices: useDepts },
      { field: 'createdAt', label: 'receipt.createdAt' },
    ],
    bulk: answers(
      { accept: receiptCalls.acceptMany, refuse: receiptCalls.refuseMany, giveBack: receiptCalls.giveBackMany },
      { accept: 'receipt.acceptMany', refuse: 'receipt.refuseMany', giveBack: 'receipt.giveBackMany' },
    ),
    nameOf: (row) => row.number,
    open: receiptPath,
    empty: { title: 'receipt.empty', text: 'receipt.emptyText', icon: 'receipt' },
  },
);
