import { dictCalls } from '@mooring/contract/settings/dict-calls';
import { FormDialog } from '../../kit/form/form-dialog.tsx';
import type { RowOf } from '../../kit/list/types.ts';
import { createStore, useStore } from '../../ui/store.ts';

type Dict = RowOf<typeof dictCalls.page>;
const chosen = createStore<Dict | undefined>(undefined);
export const openDict = (row: Dict): void => chosen.set(row);

/** Its code stays: what was filled from the list is kept by it. */
export function EditDict() {
  const row = useStore(chosen);
  if (row === undefined) return null;
  return (
    <FormDialog
      title="settings.dict.edit"
      of={row.name}
      call={dictCalls.update}
      successText="done.saved"
      submit="settings.save"
      fields={[
        { name: 'name', label: 'settings.dict.name' },
        { name: 'remark', label: 'settings.dict.remark', kind: 'area' },
      ]}
      initial={{ id: row.id, revision: row.revision, name: row.name, remark: row.remark }}
      onClose={() => chosen.set(undefined)}
    />
  );
}
