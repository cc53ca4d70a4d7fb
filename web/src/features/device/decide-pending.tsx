import { regCalls } from '@mooring/contract/device/reg-calls';
import { useDepts, useProducts } from '../../kit/choices.ts';
import { BulkDialog } from '../../kit/list/bulk.tsx';
import { type BulkAction, bulkAct } from '../../kit/list/types.ts';
import { createStore, useStore } from '../../ui/store.ts';

/** Where a terminal that nobody expected belongs; a known one keeps its place. */
export const accept = bulkAct(regCalls.accept, {
  successText: 'reg.accepted',
  label: 'reg.accept',
  icon: 'check',
  form: {
    fields: [
      { name: 'deptId', label: 'device.dept', kind: 'one', useChoices: useDepts, help: 'reg.accept.help' },
      { name: 'productId', label: 'device.product', kind: 'one', useChoices: useProducts, help: 'reg.accept.product' },
    ],
    initial: {},
  },
});
export const refuse = bulkAct(regCalls.refuse, {
  successText: 'reg.rejected',
  label: 'reg.refuse',
  danger: true,
  form: { fields: [{ name: 'reason', label: 'reg.reason', help: 'reg.refuse.help' }], initial: {} },
});

const chosen = createStore<{ action: BulkAction; id: number } | undefined>(undefined);
export const decide = (action: BulkAction) => (row: { id: number }) => chosen.set({ action, id: row.id });

/** The same dialog as for many, with one terminal chosen. */
export function DecidePending() {
  const open = useStore(chosen);
  if (!open) return null;
  const close = () => chosen.set(undefined);
  return <BulkDialog action={open.action} of={{ ids: [open.id] }} count={1} capped={false} onClose={close} onDone={() => {}} />;
}
