import { mfaCalls, passkeyCalls } from '@mooring/contract/account/own-calls';
import { type FormEvent, useEffect, useState } from 'react';
import { answerPasskey } from '../kit/access/passkey.ts';
import { SecondFactor } from '../kit/access/second-factor.tsx';
import { api, messageOf, onProofAsked } from '../kit/client.ts';
import { CallFailed } from '../kit/dead-end.tsx';
import { useCall } from '../kit/queries.ts';
import { Button } from '../ui/button.tsx';
import { PasswordInput } from '../ui/controls.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { Field } from '../ui/field.tsx';
import { Note, PageSkeleton } from '../ui/states.tsx';
import { useT } from '../ui/words.ts';

type Settle = (proved: boolean) => void;

/** Over whatever asked for it: the person proves to be it, and what was asked for goes on. */
export function StepUp() {
  const t = useT();
  const [settle, setSettle] = useState<{ done: Settle }>();
  useEffect(() => {
    let open: Promise<boolean> | undefined;
    onProofAsked(() => {
      open ??= new Promise<boolean>((resolve) => setSettle({ done: resolve })).finally(() => {
        open = undefined;
        setSettle(undefined);
      });
      return open;
    });
  }, []);
  if (!settle) return null;
  return (
    <Dialog open title={t('shell.proof.title')} onClose={() => settle.done(false)} typed width={440}>
      <p className="m-muted m-dialog-lead">{t('shell.proof.text')}</p>
      <Proof done={settle.done} />
    </Dialog>
  );
}

function Proof({ done }: { done: Settle }) {
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
