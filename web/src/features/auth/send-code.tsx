import { loginCalls } from '@mooring/contract/auth/calls';
import { type FormEvent, useEffect, useState } from 'react';
import { api, messageOf } from '../../kit/client.ts';
import { isCallError } from '../../kit/outcome.ts';
import { Button } from '../../ui/button.tsx';
import { TextInput } from '../../ui/controls.tsx';
import { Field } from '../../ui/field.tsx';
import { Note } from '../../ui/states.tsx';
import { useT } from '../../ui/words.ts';
import { CaptchaField, useCaptcha } from './captcha-field.tsx';

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

/** Address and picture; a code goes there if it belongs to somebody. */
export function SendCode({ purpose, email, onEmail, onSent }: Props) {
  const t = useT();
  const captcha = useCaptcha();
  const [failure, setFailure] = useState<string>();
  const [wrong, setWrong] = useState<string>();
  const [busy, setBusy] = useState(false);
  const [tried, setTried] = useState(false);
  const { renew, picture, code } = captcha;
  useEffect(renew, [renew]);
  const missing = (value: string) => (tried && value.trim() === '' ? t('invalid.required') : undefined);
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    setTried(true);
    if (busy || !picture || email.trim() === '' || code.trim() === '') return;
    setBusy(true);
    setFailure(undefined);
    setWrong(undefined);
    try {
      const { waitSeconds } = await api(loginCalls.sendCode, { email: email.trim(), purpose, captcha: { id: picture.id, code } });
      onSent(waitSeconds);
    } catch (error) {
      if (isCallError(error) && error.fields.email) setWrong(t('invalid.email'));
      else setFailure(messageOf(error));
      setTried(false);
      renew();
    } finally {
      setBusy(false);
    }
  };
  return (
    <form className="m-stack m-login-way" noValidate onSubmit={(event) => void submit(event)}>
      {failure ? <Note tone="danger">{failure}</Note> : null}
      <Field label={t('auth.email')} id="code-email" error={wrong ?? missing(email)}>
        <TextInput value={email} onChange={onEmail} autoComplete="email" inputMode="email" autoFocus max={254} />
      </Field>
      <CaptchaField captcha={captcha} error={missing(code)} />
      <Button look="primary" submit block busy={busy}>
        {t('auth.code.send')}
      </Button>
    </form>
  );
}
