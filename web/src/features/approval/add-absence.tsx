import { absenceCalls } from '@mooring/contract/approval/absence-calls';
import { FormDialog } from '../../kit/form/form-dialog.tsx';
import { useCall } from '../../kit/queries.ts';
import { toast } from '../../ui/toast.tsx';
import { useT } from '../../ui/words.ts';

function useDelegates(text: string) {
  const found = useCall(absenceCalls.delegates, text === '' ? {} : { text }, { keep: true });
  return { choices: (found.data ?? []).map((one) => ({ value: one.id, label: { text: one.name } })), busy: found.fetching };
}

/** From when to when, and who decides meanwhile. */
export function AddAbsence({ onClose }: { onClose: () => void }) {
  const t = useT();
  const { data } = useCall(absenceCalls.delegates, {});
  const nobody = data?.length === 0;
  return (
    <FormDialog
      title="absence.add"
      call={absenceCalls.add}
      submit="kit.save"
      blocked={nobody}
      about={<p className="m-muted">{t(nobody ? 'absence.noDelegates' : 'absence.about')}</p>}
      fields={[
        {
          name: 'delegateId',
          label: 'absence.delegateId',
          kind: 'one',
          useChoices: useDelegates,
          help: 'absence.delegateId.help',
          wide: true,
        },
        { name: 'fromAt', label: 'absence.fromAt', kind: 'moment' },
        { name: 'untilAt', label: 'absence.untilAt', kind: 'moment' },
      ]}
      onDone={(made) => toast('done', t('absence.added', { name: made.name }))}
      onClose={onClose}
    />
  );
}
