import { deviceCalls } from '@mooring/contract/device/calls';
import { newTaskScreen } from '@mooring/contract/engines/rollout/task-kind';
import { useState } from 'react';
import { api, messageOf } from '../../kit/client.ts';
import type { BulkDialogProps } from '../../kit/list/types.ts';
import { mayCall, useSession } from '../../kit/session.ts';
import { goOn, useView } from '../../kit/view.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Note } from '../../ui/states.tsx';
import { useFormat, useT } from '../../ui/words.ts';
import { useKinds } from './kind-context.tsx';
import type { ReleaseKind } from './release-kind.ts';
import { keepTargets } from './targets.ts';

/** Chosen terminals, and what is to be released to them: on to the wizard, which has them already. */
export function ReleaseTo({ of, count, capped, onClose }: BulkDialogProps) {
  const t = useT();
  const view = useView();
  const format = useFormat();
  const session = useSession();
  const [failure, setFailure] = useState<string>();
  const [busy, setBusy] = useState<string>();
  const kinds = useKinds().filter(({ calls }) => mayCall(calls.tasks.add, session));
  const begin = async ({ of: kind }: ReleaseKind) => {
    setBusy(kind.kind);
    setFailure(undefined);
    try {
      const { sns } = await api(deviceCalls.serials, { of } as never, { hidden: true });
      onClose();
      goOn(view, `${newTaskScreen(kind)}?targets=${keepTargets(sns)}`);
    } catch (error) {
      setFailure(messageOf(error));
      setBusy(undefined);
    }
  };
  return (
    <Dialog
      open
      title={t('device.bulk.release', { count: format.total(count, capped), n: count })}
      onClose={onClose}
      busy={busy !== undefined}
      footer={
        <Button onClick={onClose} disabled={busy !== undefined}>
          {t('kit.cancel')}
        </Button>
      }
    >
      <div className="m-stack">
        <p className="m-muted">{t('device.release.about')}</p>
        <p>{t('task.choose')}</p>
        <ul className="m-plain-list m-stack-tight">
          {kinds.map((kind) => (
            <li key={kind.of.kind}>
              <Button block busy={busy === kind.of.kind} disabled={busy !== undefined} onClick={() => void begin(kind)}>
                {t(kind.title)}
              </Button>
            </li>
          ))}
        </ul>
        {failure ? <Note tone="danger">{failure}</Note> : null}
      </div>
    </Dialog>
  );
}
