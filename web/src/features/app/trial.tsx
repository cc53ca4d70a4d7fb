import { appVersionCalls } from '@mooring/contract/app/calls';
import { FormDialog } from '../../kit/form/form-dialog.tsx';
import { useCall } from '../../kit/queries.ts';
import { Note } from '../../ui/states.tsx';
import { toast } from '../../ui/toast.tsx';
import { useT } from '../../ui/words.ts';
import { nameOf } from './version-name.ts';
import type { Version } from './versions.tsx';

/** What a reviewer has before them goes to test terminals, and nowhere else. */
export function Trial({ row, onClose }: { row: Version; onClose: () => void }) {
  const t = useT();
  const found = useCall(appVersionCalls.testTerminals, { id: row.id });
  const choices = (found.data ?? []).map((one) => ({
    value: one.id,
    label: { text: [one.sn, ...(one.name === one.sn ? [] : [one.name]), one.productName, one.deptName].join(' – ') },
  }));
  return (
    <FormDialog
      title="appRelease.trial.title"
      of={`${row.appName} ${nameOf(row)}`}
      submit="appRelease.trial.submit"
      call={appVersionCalls.trial}
      initial={{ id: row.id, contentHash: row.contentHash, deviceIds: [] }}
      fields={[{ name: 'deviceIds', label: 'appRelease.trial.deviceIds', kind: 'multi', choices, wide: true }]}
      about={
        <>
          <p className="m-muted">{t('appRelease.trial.dialog')}</p>
          {found.data?.length === 0 ? <Note tone="warn">{t('appRelease.trial.none')}</Note> : null}
        </>
      }
      onClose={onClose}
      onDone={(done) => toast('done', t('appRelease.trial.done', { terminals: done.terminals }))}
    />
  );
}
