import { type EnrolRule, regCalls } from '@mooring/contract/device/reg-calls';
import { FormDialog } from '../../kit/form/form-dialog.tsx';
import { createStore, useStore } from '../../ui/store.ts';
import { ruleFields } from './add-rule.tsx';

const chosen = createStore<EnrolRule | undefined>(undefined);
export const openRule = (row: EnrolRule): void => chosen.set(row);

export function EditRule() {
  const row = useStore(chosen);
  if (row === undefined) return null;
  const { id, revision, name, snPrefix, deptId, productId, network, onlyExpected, onlyFactory, enabled, remark } = row;
  return (
    <FormDialog
      title="reg.rule.edit"
      call={regCalls.ruleUpdate}
      successText="done.saved"
      submit="kit.save"
      onClose={() => chosen.set(undefined)}
      initial={{ id, revision, name, snPrefix, deptId, productId, network, onlyExpected, onlyFactory, enabled, remark }}
      fields={ruleFields}
    />
  );
}
