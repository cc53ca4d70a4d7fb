import { type FormEvent, useState } from 'react';
import { Button } from '../../ui/button.tsx';
import { TextInput } from '../../ui/controls.tsx';
import { Field } from '../../ui/field.tsx';
import { Note } from '../../ui/states.tsx';
import { useT } from '../../ui/words.ts';
import { messageOf } from '../client.ts';
import { mayUsePasskeys } from './passkey.ts';

type Method = 'totp' | 'recovery' | 'passkey';

interface Props {
  methods: readonly Method[];
  onCode: (method: 'totp' | 'recovery', code: string) => Promise<void>;
  onPasskey: () => Promise<void>;
  onCancel: () => void;
  cancel: string;
  submit: string;
}

/** Asks for a code of the app, a recovery code or a passkey; the person may change over. */
export function SecondFactor({ methods, onCode, onPasskey, onCancel, cancel, submit }: Props) {
  const t = useT();
  const codes = methods.filter((one): one is 'totp' | 'recovery' => one !== 'passkey');
  const [method, setMethod] = useState<'totp' | 'recovery'>(codes.includes('totp') ? 'totp' : 'recovery');
  const [code, setCode] = useState('');
  const [failure, setFailure] = useState<string>();
  const [busy, setBusy] = useState(false);
  const other = codes.find((one) => one !== method);
  const passkeys = methods.includes('passkey') && mayUsePasskeys();
  const run = async (work: () => Promise<void>) => {
    if (busy) return;
    setBusy(true);
    setFailure(undefined);
    try {
      await work();
    } catch (error) {
      setFailure(messageOf(error));
      setCode('');
    } finally {
      setBusy(false);
    }
  };
  const send = (event: FormEvent) => {
    event.preventDefault();
    if (code.trim() !== '') void run(() => onCode(method, code.trim()));
  };
  return (
    <form className="m-stack" noValidate onSubmit={send}>
      {failure ? <Note tone="danger">{failure}</Note> : null}
      {codes.length > 0 ? (
        <Field label={t(`auth.mfa.${method}`)} help={t(`auth.mfa.${method}.help`)} id="second-factor">
          <TextInput
            value={code}
            onChange={setCode}
            autoFocus
            mono
            max={32}
            autoComplete="one-time-code"
            inputMode={method === 'totp' ? 'numeric' : 'text'}
          />
        </Field>
      ) : null}
      {passkeys ? (
        <Button icon="key" block busy={busy} onClick={() => void run(onPasskey)}>
          {t('auth.passkey.use')}
        </Button>
      ) : null}
      {methods.includes('passkey') && !passkeys && codes.length === 0 ? <Note tone="warn">{t('auth.passkey.absent')}</Note> : null}
      {other ? (
        <p>
          <button
            type="button"
            className="m-plain m-link"
            onClick={() => {
              setMethod(other);
              setCode('');
              setFailure(undefined);
            }}
          >
            {t(`auth.mfa.to.${other}`)}
          </button>
        </p>
      ) : null}
      <div className="m-form-foot">
        <Button onClick={onCancel}>{cancel}</Button>
        {codes.length > 0 ? (
          <Button look="primary" submit busy={busy}>
            {submit}
          </Button>
        ) : null}
      </div>
    </form>
  );
}
