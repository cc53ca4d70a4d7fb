import { mfaCalls, passkeyCalls } from '@mooring/contract/account/own-calls';
import { type FormEvent, useState } from 'react';
import { answerPasskey } from '../kit/access/passkey.ts';
import { SecondFactor } from '../kit/access/second-factor.tsx';
import { api, messageOf } from '../kit/client.ts';
import { CallFailed } from '../kit/dead-end.tsx';
import { useCall } from '../kit/queries.ts';
import { Button } from '../ui/button.tsx';
import { PasswordInput } from '../ui/controls.tsx';
import { Field } from '../ui/field.tsx';
import { Note, PageSkeleton } from '../ui/states.tsx';
import { useT } from '../ui/words.ts';

export type Settle = (proved: boolean) => void;

/** By the second factor where there is one, else by the password. */
export function Proof({ done }: { done: Settle }) {
  const t = useT();
  const { data, error, retry } = useCall(mfaCalls.status, {});
  if (error && !data) return <CallFailed part error={error} onRetry={retry} />;
  if (!data) return <PageSkeleton />;
  if (data.methods.length === 0) return <ByPassword done={done} />;
  return (
    <SecondFactor
      methods={data.methods}
      cancel={t('kit.cancel')}
      submit={t('shell.proof.submit')}
      onCancel={() => done(false)}
      onCode={async (method, code) => {
        await api(mfaCalls.verify, { method, code }, { hidden: true });
        done(true);
      }}
      onPasskey={async () => {
        const { ticket, options } = await api(passkeyCalls.verifyOptions, {}, { hidden: true });
        await api(passkeyCalls.verify, { ticket, credential: await answerPasskey(options) }, { hidden: true });
        done(true);
      }}
    />
  );
}

function ByPassword({ done }: { done: Settle }) {
  const t = useT();
  const [password, setPassword] = useState('');
  const [failure, setFailure] = useState<string>();
  const [busy, setBusy] = useState(false);
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    event.stopPropagation();
    if (busy || password === '') return;
    setBusy(true);
    setFailure(undefined);
    try {
      await api(mfaCalls.passwordVerify, { password }, { hidden: true });
      done(true);
    } catch (error) {
      setFailure(messageOf(error));
    } finally {
      setBusy(false);
    }
  };
  return (
    <form className="m-stack" noValidate onSubmit={(event) => void submit(event)}>
      {failure ? <Note tone="danger">{failure}</Note> : null}
      <Field label={t('auth.password')} id="proof-password">
        <PasswordInput value={password} onChange={setPassword} autoFocus />
      </Field>
      <div className="m-form-foot">
        <Button onClick={() => done(false)}>{t('kit.cancel')}</Button>
        <Button look="primary" submit busy={busy}>
          {t('shell.proof.submit')}
        </Button>
      </div>
    </form>
  );
}
