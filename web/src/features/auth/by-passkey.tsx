import { loginCalls } from '@mooring/contract/auth/calls';
import { useState } from 'react';
import { answerPasskey } from '../../kit/access/passkey.ts';
import { api, messageOf } from '../../kit/client.ts';
import { Button } from '../../ui/button.tsx';
import { Note } from '../../ui/states.tsx';
import { useT } from '../../ui/words.ts';
import type { WayProps } from './by-password.tsx';

/** Without a name: the browser offers the passkeys that it has for this address. */
export function ByPasskey({ platform, onAnswer }: Pick<WayProps, 'platform' | 'onAnswer'>) {
  const t = useT();
  const [failure, setFailure] = useState<string>();
  const [busy, setBusy] = useState(false);
  const run = async () => {
    setBusy(true);
    setFailure(undefined);
    try {
      const { ticket, options } = await api(loginCalls.passkeyOptions, {});
      await onAnswer(await api(loginCalls.passkey, { ticket, credential: await answerPasskey(options), platform }));
    } catch (error) {
      setFailure(messageOf(error));
    } finally {
      setBusy(false);
    }
  };
  return (
    <>
      <p className="m-login-or m-muted">{t('auth.or')}</p>
      {failure ? <Note tone="danger">{failure}</Note> : null}
      <Button icon="key" block busy={busy} onClick={() => void run()}>
        {t('auth.passkey.signIn')}
      </Button>
    </>
  );
}
