import { type FactoryAuthority, regCalls } from '@mooring/contract/device/reg-calls';
import { FormDialog } from '../../kit/form/form-dialog.tsx';
import { createStore, useStore } from '../../ui/store.ts';
import { factoryFields } from './add-factory.tsx';

const chosen = createStore<FactoryAuthority | undefined>(undefined);
export const openFactory = (row: FactoryAuthority): void => chosen.set(row);

export function EditFactory() {
  const row = useStore(chosen);
  if (row === undefined) return null;
  const { id, revision, name, snPrefix, deptId, productId, certificate, revoked, enabled, remark } = row;
  return (
    <FormDialog
      title="reg.factory.edit"
      call={regCalls.factoryUpdate}
      successText="done.saved"
      submit="kit.save"
      onClose={() => chosen.set(undefined)}
      initial={{ id, revision, name, snPrefix, deptId, productId, certificate, revoked, enabled, remark }}
      fields={factoryFields}
    />
  );
}
