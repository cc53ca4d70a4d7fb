import { registerCalls } from '@mooring/contract/auth/register-calls';
import { type FormEvent, useEffect, useState } from 'react';
import { api, messageOf } from '../../kit/client.ts';
import { isCallError } from '../../kit/outcome.ts';
import { Button } from '../../ui/button.tsx';
import { TextInput } from '../../ui/controls.tsx';
import { Field } from '../../ui/field.tsx';
import { Note } from '../../ui/states.tsx';
import { useT } from '../../ui/words.ts';
import { CaptchaField, useCaptcha } from './captcha-field.tsx';

interface Props {
  email: string;
  onEmail: (email: string) => void;
  onBack: () => void;
  onSent: () => void;
}

/** The address, and the picture that machines don't read; a code goes there. */
export function ConfirmEmail({ email, onEmail, onBack, onSent }: Props) {
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
      await api(registerCalls.captcha, { email: email.trim(), captcha: { id: picture.id, code } }, { hidden: true });
      onSent();
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
    <form className="m-stack" noValidate onSubmit={(event) => void submit(event)}>
      {failure ? <Note tone="danger">{failure}</Note> : null}
      <Field label={t('register.email')} id="register-email" error={wrong ?? missing(email)}>
        <TextInput value={email} onChange={onEmail} autoComplete="email" inputMode="email" autoFocus max={254} />
      </Field>
      <CaptchaField captcha={captcha} error={missing(code)} />
      <div className="m-form-foot">
        <Button onClick={onBack}>{t('register.back')}</Button>
        <Button look="primary" submit busy={busy}>
          {t('register.email.send')}
        </Button>
      </div>
    </form>
  );
}
