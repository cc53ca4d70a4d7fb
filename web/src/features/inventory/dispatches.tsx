import { Dispatch, dispatchCalls } from '@mooring/contract/inventory/dispatch';
import { dispatchMachine } from '@mooring/contract/inventory/state-machines';
import { listPage } from '../../kit/list/list-page.tsx';
import { bulkAct } from '../../kit/list/types.ts';
import { off } from '../../kit/resource/entity-column.tsx';
import { ImportSheet } from '../../kit/upload/import-sheet.tsx';
import { goOn, useView } from '../../kit/view.ts';
import { useTargets } from './choices.ts';
import { SnsDialog } from './sns-dialog.tsx';
import { targetField } from './target-pick.tsx';

const dispatchPath = (id: number) => `/device/dispatch/page/${id}`;

function AddDispatch({ onClose }: { onClose: () => void }) {
  const view = useView();
  return (
    <SnsDialog
      call={dispatchCalls.add}
      title="dispatch.add"
      submit="dispatch.add"
      done="dispatch.listed"
      sns={{ label: 'stock.in.sns', help: 'dispatch.sns.help' }}
      fields={[
        targetField,
        { name: 'number', label: 'dispatch.number', help: 'dispatch.number.help' },
        { name: 'remark', label: 'dispatch.remark', kind: 'area' },
      ]}
      onTaken={({ id }) => id && goOn(view, dispatchPath(id))}
      onClose={onClose}
    />
  );
}

const ImportDispatches = ({ onClose }: { onClose: () => void }) => (
  <ImportSheet
    title="dispatch.import.title"
    about="dispatch.import.about"
    take="dispatch.import.take"
    call={dispatchCalls.import}
    template={dispatchCalls.template}
    fileName="dispatch.xlsx"
    names="dispatch."
    partly
    onClose={onClose}
  />
);

/** What is left of a dispatch may be withdrawn or deleted, while its receiver has nothing of it. */
export const dispatchList = listPage(
  Dispatch,
  { page: dispatchCalls.page, delete: dispatchCalls.delete, export: dispatchCalls.export, withdraw: dispatchCalls.withdraw },
  {
    code: 'inventory.dispatch',
    texts: { add: 'dispatch.add' },
    columns: [
      { key: 'number', link: ({ id }: { readonly id: number }) => dispatchPath(id), width: 190 },
      { key: 'state', width: 130 },
      { key: 'toName', width: 200 },
      { key: 'total', width: 100 },
      { key: 'sent', width: 90 },
      { key: 'received', width: 100 },
      { key: 'failed', width: 120 },
      { key: 'createdBy', width: 140 },
      { key: 'createdAt', width: 170 },
      off('remark'),
      off('deptName'),
    ],
    filters: [
      { field: 'state', label: 'dispatch.state', machine: dispatchMachine },
      { field: 'toId', label: 'dispatch.toId', useChoices: useTargets },
      { field: 'createdAt', label: 'dispatch.createdAt' },
    ],
    actions: [
      { key: 'import', label: 'dispatch.import', icon: 'upload', call: dispatchCalls.import, Dialog: ImportDispatches },
      { key: 'add', label: 'dispatch.add', icon: 'add', primary: true, call: dispatchCalls.add, Dialog: AddDispatch },
    ],
    bulk: [
      bulkAct(dispatchCalls.transferMany, {
        label: 'dispatch.transferMany',
        icon: 'dispatch',
        text: 'dispatch.transferMany.about',
        successText: 'dispatch.sent.chosen',
      }),
      bulkAct(dispatchCalls.withdrawMany, {
        label: 'dispatch.withdrawMany',
        icon: 'back',
        danger: true,
        text: 'dispatch.withdrawMany.about',
        successText: 'dispatch.withdrawMany.done',
      }),
      bulkAct(dispatchCalls.deleteMany, {
        label: 'dispatch.deleteMany',
        icon: 'delete',
        danger: true,
        text: 'dispatch.deleteMany.about',
        successText: 'dispatch.deleteMany.done',
      }),
    ],
    moves: {
      withdraw: {
        successText: 'dispatch.withdraw.done',
        danger: true,
        confirm: { text: 'dispatch.withdraw.about', keep: 'dispatch.withdraw.keep' },
      },
    },
    deleting: { text: 'dispatch.delete.about' },
    nameOf: (row) => row.number,
    open: ({ id }) => dispatchPath(id),
    empty: { title: 'dispatch.empty', text: 'dispatch.emptyText', icon: 'dispatch' },
  },
);
