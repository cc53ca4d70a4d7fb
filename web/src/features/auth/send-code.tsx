import { loginCalls } from '@mooring/contract/auth/calls';
import type { OutputOf } from '@mooring/contract/kit/call';
import { useEffect, useState } from 'react';
import { api } from '../../kit/client.ts';
import { Button } from '../../ui/button.tsx';
import { useT } from '../../ui/words.ts';
import { MailForm, type Takes } from './mail-form.tsx';

/** Counts down to nothing, once a second. */
export function useCountdown(): readonly [number, (seconds: number) => void] {
  const [left, setLeft] = useState(0);
  useEffect(() => {
    if (left <= 0) return undefined;
    const timer = setTimeout(() => setLeft(left - 1), 1000);
    return () => clearTimeout(timer);
  }, [left]);
  return [left, setLeft];
}

interface Props {
  purpose: 'login' | 'reset';
  to: string;
  onTo: (to: string) => void;
  takes: Takes;
  onSent: (sent: OutputOf<typeof loginCalls.sendCode>) => void;
}

/** A code goes to the address or the number if it belongs to somebody. */
export function SendCode({ purpose, to, onTo, takes, onSent }: Props) {
  const t = useT();
  return (
    <MailForm
      id="code-email"
      label={t(`auth.${takes}`)}
      className="m-login-way"
      to={to}
      onTo={onTo}
      takes={takes}
      purpose="code"
      send={async (typed, proof) => onSent(await api(loginCalls.sendCode, { to: typed, purpose, proof }))}
      foot={(busy) => (
        <Button look="primary" submit block busy={busy}>
          {t('auth.code.send')}
        </Button>
      )}
    />
  );
}
