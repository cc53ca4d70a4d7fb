import { leavingCalls } from '@mooring/contract/account/own-calls';
import { useState } from 'react';
import { api, messageOf } from '../../kit/client.ts';
import { Button } from '../../ui/button.tsx';
import { Note } from '../../ui/states.tsx';
import { useFormat, useT } from '../../ui/words.ts';

/** A cancelled account, within the days that it can be taken back. */
export function Restore({
  restore,
  onDone,
  onBack,
}: {
  restore: { ticket: string; until: string };
  onDone: () => void;
  onBack: () => void;
}) {
  const t = useT();
  const format = useFormat();
  const [failure, setFailure] = useState<string>();
  const [busy, setBusy] = useState(false);
  const run = async () => {
    setBusy(true);
    setFailure(undefined);
    try {
      await api(leavingCalls.restoreAuth, { ticket: restore.ticket }, { hidden: true });
      onDone();
    } catch (error) {
      setFailure(messageOf(error));
    } finally {
      setBusy(false);
    }
  };
  return (
    <>
      <h1>{t('auth.restore.title')}</h1>
      {failure ? <Note tone="danger">{failure}</Note> : null}
      <p>{t('auth.restore.text', { until: format.moment(restore.until) })}</p>
      <div className="m-form-foot">
        <Button onClick={onBack}>{t('auth.toLogin')}</Button>
        <Button look="primary" busy={busy} onClick={() => void run()}>
          {t('auth.restore.submit')}
        </Button>
      </div>
    </>
  );
}
