import { type FormEvent, type ReactNode, useState } from 'react';
import { messageOf } from '../../kit/client.ts';
import { isCallError } from '../../kit/outcome.ts';
import { TextInput } from '../../ui/controls.tsx';
import { Field } from '../../ui/field.tsx';
import { Note } from '../../ui/states.tsx';
import { useT } from '../../ui/words.ts';
import { Checking } from './checking.tsx';
import { useProof } from './proof/use-proof.ts';

/** Which ways a code can go here, as far as this installation sends by them. */
export type Takes = 'email' | 'mobile' | 'emailOrMobile';
const typing = {
  email: { autoComplete: 'email', inputMode: 'email' },
  mobile: { autoComplete: 'tel', inputMode: 'tel' },
  emailOrMobile: { autoComplete: 'username', inputMode: 'email' },
} as const;

interface Props {
  readonly id: string;
  readonly label: string;
  readonly to: string;
  readonly onTo: (to: string) => void;
  /** What else than an address may be typed. */
  readonly takes?: Takes;
  readonly purpose: 'code' | 'regist';
  /** Fails with what the call failed with. */
  readonly send: (to: string, proof: string) => Promise<void>;
  readonly foot: (busy: boolean) => ReactNode;
  readonly className?: string;
}

/** An address or a number; something is sent there, for some work that the browser does while it is typed in. */
export function MailForm({ id, label, to, purpose, onTo, takes = 'email', send, foot, className = '' }: Props) {
  const t = useT();
  const { checking, withProof } = useProof(purpose);
  const [failure, setFailure] = useState<string>();
  const [wrong, setWrong] = useState<string>();
  const [busy, setBusy] = useState(false);
  const [tried, setTried] = useState(false);
  const missing = (value: string) => (tried && value.trim() === '' ? t('invalid.required') : undefined);
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    setTried(true);
    if (busy || to.trim() === '') return;
    setBusy(true);
    setFailure(undefined);
    setWrong(undefined);
    try {
      await withProof((proof) => send(to.trim(), proof));
    } catch (error) {
      if (isCallError(error) && (error.fields.email ?? error.fields.to)) setWrong(t(`invalid.${takes}`));
      else setFailure(messageOf(error));
      setTried(false);
    } finally {
      setBusy(false);
    }
  };
  return (
    <form className={`m-stack ${className}`} noValidate onSubmit={(event) => void submit(event)}>
      {failure ? <Note tone="danger">{failure}</Note> : null}
      <Field label={label} id={id} error={wrong ?? missing(to)}>
        <TextInput value={to} onChange={onTo} {...typing[takes]} autoFocus max={254} />
      </Field>
      {foot(busy)}
      <Checking on={checking} />
    </form>
  );
}
