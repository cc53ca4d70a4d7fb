import { loginCalls } from '@mooring/contract/auth/calls';
import { useEffect, useState } from 'react';
import { api } from '../../kit/client.ts';
import { Button } from '../../ui/button.tsx';
import { useT } from '../../ui/words.ts';
import { MailForm } from './mail-form.tsx';

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
  email: string;
  onEmail: (email: string) => void;
  onSent: (waitSeconds: number) => void;
}

/** A code goes to the address if it belongs to somebody. */
export function SendCode({ purpose, email, onEmail, onSent }: Props) {
  const t = useT();
  return (
    <MailForm
      id="code-email"
      label={t('auth.email')}
      className="m-login-way"
      email={email}
      onEmail={onEmail}
      purpose="code"
      send={async (to, proof) => onSent((await api(loginCalls.sendCode, { email: to, purpose, proof })).waitSeconds)}
      foot={(busy) => (
        <Button look="primary" submit block busy={busy}>
          {t('auth.code.send')}
        </Button>
      )}
    />
  );
}
