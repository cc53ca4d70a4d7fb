import { regCalls } from '@mooring/contract/device/reg-calls';
import { useDepts } from '../../kit/choices.ts';
import { FormDialog } from '../../kit/form/form-dialog.tsx';
import { createStore, useStore } from '../../ui/store.ts';
import { useProducts } from './choices.ts';

const chosen = createStore<number | undefined>(undefined);
export const openAccept = (row: { id: number }): void => chosen.set(row.id);

/** Where a terminal that nobody expected belongs; a known one keeps its place. */
export function AcceptDevices() {
  const id = useStore(chosen);
  if (id === undefined) return null;
  return (
    <FormDialog
      title="reg.accept"
      call={regCalls.accept}
      submit="reg.accept"
      onClose={() => chosen.set(undefined)}
      initial={{ ids: [id] }}
      fields={[
        { name: 'deptId', label: 'device.dept', kind: 'one', useChoices: useDepts, help: 'reg.accept.help' },
        { name: 'productId', label: 'device.product', kind: 'one', useChoices: useProducts },
      ]}
    />
  );
}
