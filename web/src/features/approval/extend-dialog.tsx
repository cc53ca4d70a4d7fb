import { approvalCalls } from '@mooring/contract/approval/calls';
import { FormDialog } from '../../kit/form/form-dialog.tsx';
import { useFormat, useT } from '../../ui/words.ts';

interface Props {
  row: { readonly id: number; readonly name: string; readonly step: string; readonly dueAt: string | null };
  onClose: () => void;
}

/** A later time for the decision that is waited for, and why. */
export function ExtendDialog({ row, onClose }: Props) {
  const t = useT();
  const format = useFormat();
  return (
    <FormDialog
      title="approval.extend"
      of={row.name}
      call={approvalCalls.extend}
      submit="approval.extend"
      successText="approval.extended"
      about={<p className="m-muted">{t('approval.extend.about', { at: row.dueAt ? format.moment(row.dueAt) : '–' })}</p>}
      initial={{ taskAuditId: row.id, auditStep: row.step }}
      fields={[
        { name: 'dueAt', label: 'approval.extend.dueAt', kind: 'moment' },
        { name: 'comment', label: 'approval.extend.comment', kind: 'area', wide: true },
      ]}
      onClose={onClose}
    />
  );
}
