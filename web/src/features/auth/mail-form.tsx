import { type FormEvent, type ReactNode, useEffect, useState } from 'react';
import { messageOf } from '../../kit/client.ts';
import { isCallError } from '../../kit/outcome.ts';
import { TextInput } from '../../ui/controls.tsx';
import { Field } from '../../ui/field.tsx';
import { Note } from '../../ui/states.tsx';
import { useT } from '../../ui/words.ts';
import { CaptchaField, useCaptcha } from './captcha-field.tsx';

interface Props {
  readonly id: string;
  readonly label: string;
  readonly email: string;
  readonly onEmail: (email: string) => void;
  /** Fails with what the call failed with. */
  readonly send: (email: string, captcha: { id: string; code: string }) => Promise<void>;
  readonly foot: (busy: boolean) => ReactNode;
  readonly className?: string;
}

/** An address, and the picture that machines don't read; something is sent there. */
export function MailForm({ id, label, email, onEmail, send, foot, className = '' }: Props) {
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
      await send(email.trim(), { id: picture.id, code });
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
    <form className={`m-stack ${className}`} noValidate onSubmit={(event) => void submit(event)}>
      {failure ? <Note tone="danger">{failure}</Note> : null}
      <Field label={label} id={id} error={wrong ?? missing(email)}>
        <TextInput value={email} onChange={onEmail} autoComplete="email" inputMode="email" autoFocus max={254} />
      </Field>
      <CaptchaField captcha={captcha} error={missing(code)} />
      {foot(busy)}
    </form>
  );
}
