import { CODE_DIGITS_MOST, MailedCode } from '@mooring/contract/shared/one-time-code';
import { type FormEvent, type ReactNode, useEffect, useState } from 'react';
import { messageOf } from '../../kit/client.ts';
import { Button } from '../../ui/button.tsx';
import { TextInput } from '../../ui/controls.tsx';
import { Field } from '../../ui/field.tsx';
import { Note } from '../../ui/states.tsx';
import { useT } from '../../ui/words.ts';
import type { Takes } from './mail-form.tsx';
import { useCountdown } from './send-code.tsx';

interface Props {
  to: string;
  takes: Takes;
  wait: number;
  submit: string;
  onCode: (code: string) => Promise<void>;
  /** Back to where the address or number is typed: to send another code there, or to mend it. */
  onBack: () => void;
  children?: ReactNode;
}

/** The code that was sent, with the way back: a code that went to a mistyped address never comes, and nobody waits for it. */
export function EnterCode({ to, takes, wait, submit: label, onCode, onBack, children }: Props) {
  const t = useT();
  const [code, setCode] = useState('');
  const [failure, setFailure] = useState<string>();
  const [wrong, setWrong] = useState<string>();
  const [busy, setBusy] = useState(false);
  const [left, setLeft] = useCountdown();
  useEffect(() => setLeft(wait), [wait, setLeft]);
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    if (busy) return;
    setFailure(undefined);
    const given = code.trim();
    setWrong(given === '' ? t('invalid.required') : MailedCode.safeParse(given).success ? undefined : t('invalid.code'));
    if (!MailedCode.safeParse(given).success) return;
    setBusy(true);
    try {
      await onCode(given);
    } catch (error) {
      setFailure(messageOf(error));
      setCode('');
    } finally {
      setBusy(false);
    }
  };
  return (
    <form className="m-stack m-login-way" noValidate onSubmit={(event) => void submit(event)}>
      {failure ? <Note tone="danger">{failure}</Note> : <Note tone="info">{t('auth.code.sent', { to })}</Note>}
      <Field label={t('auth.code')} id="mailed-code" error={wrong}>
        <TextInput value={code} onChange={setCode} mono max={CODE_DIGITS_MOST} autoFocus inputMode="numeric" autoComplete="one-time-code" />
      </Field>
      {children}
      <Button look="primary" submit block busy={busy}>
        {label}
      </Button>
      <Button look="quiet" block disabled={left > 0} onClick={onBack}>
        {left > 0 ? t('auth.code.wait', { seconds: left }) : t('auth.code.again')}
      </Button>
      <Button look="quiet" block onClick={onBack}>
        {t(`auth.code.other.${takes}`)}
      </Button>
    </form>
  );
}
