import { appVersionCalls } from '@mooring/contract/app/calls';
import { createContext, useContext } from 'react';
import { useFound } from '../../kit/choices.ts';
import { FormDialog } from '../../kit/form/form-dialog.tsx';
import { useCall } from '../../kit/queries.ts';
import { Note } from '../../ui/states.tsx';
import { toast } from '../../ui/toast.tsx';
import { useT } from '../../ui/words.ts';
import { nameOf } from './version-name.ts';
import type { Version } from './versions.tsx';

const OfVersion = createContext(0);

/** Test terminals of its products, by what is typed of them. */
function useTestTerminals(text: string, chosen: readonly (string | number)[]) {
  const { rows, busy } = useFound(appVersionCalls.testTerminals, text, chosen, { id: useContext(OfVersion) });
  const choices = rows.map((one) => ({
    value: one.id,
    label: { text: [one.sn, ...(one.name === one.sn ? [] : [one.name]), one.productName, one.deptName].join(' – ') },
  }));
  return { choices, busy };
}

/** What a reviewer has before them goes to test terminals, and nowhere else. */
export function Trial({ row, onClose }: { row: Version; onClose: () => void }) {
  const t = useT();
  const found = useCall(appVersionCalls.testTerminals, { id: row.id });
  return (
    <OfVersion value={row.id}>
      <FormDialog
        title="appRelease.trial.title"
        of={`${row.appName} ${nameOf(row)}`}
        submit="appRelease.trial.submit"
        call={appVersionCalls.trial}
        initial={{ id: row.id, contentHash: row.contentHash, deviceIds: [] }}
        fields={[{ name: 'deviceIds', label: 'appRelease.trial.deviceIds', kind: 'multi', useChoices: useTestTerminals, wide: true }]}
        about={
          <>
            <p className="m-muted">{t('appRelease.trial.dialog')}</p>
            {found.data?.length === 0 ? <Note tone="warn">{t('appRelease.trial.none')}</Note> : null}
          </>
        }
        onClose={onClose}
        onDone={(done) => toast('done', t('appRelease.trial.done', { terminals: done.terminals }))}
      />
    </OfVersion>
  );
}
