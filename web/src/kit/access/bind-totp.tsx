import { mfaCalls } from '@mooring/contract/account/own-calls';
import { type FormEvent, useEffect, useState } from 'react';
import { Button } from '../../ui/button.tsx';
import { TextInput } from '../../ui/controls.tsx';
import { CopyText } from '../../ui/copy-text.tsx';
import { useAtWork } from '../../ui/dialog.tsx';
import { Field } from '../../ui/field.tsx';
import { saveFile } from '../../ui/save-file.ts';
import { ErrorState, Note, PageSkeleton } from '../../ui/states.tsx';
import { useT } from '../../ui/words.ts';
import { api, messageOf } from '../client.ts';
import { isCallError } from '../outcome.ts';

/** The codes that stand in for a lost telephone, shown once. */
export function RecoveryCodes({ codes, onDone }: { codes: readonly string[]; onDone: () => void }) {
  const t = useT();
  const text = codes.join('\n');
  return (
    <div className="m-stack">
      <Note tone="warn">{t('account.recovery.once')}</Note>
      <ul className="m-codes m-mono">
        {codes.map((code) => (
          <li key={code}>{code}</li>
        ))}
      </ul>
      <div className="m-form-foot">
        <Button icon="copy" onClick={() => void navigator.clipboard?.writeText(text)}>
          {t('kit.copy')}
        </Button>
        <Button icon="download" onClick={() => saveFile(new Blob([`${text}\n`], { type: 'text/plain' }), 'recovery-codes.txt')}>
          {t('account.recovery.download')}
        </Button>
        <Button look="primary" onClick={onDone}>
          {t('account.recovery.kept')}
        </Button>
      </div>
    </div>
  );
}

/** Scan, type a code, keep the recovery codes. */
export function BindTotp({ onDone, onCancel, cancel }: { onDone: () => void; onCancel: () => void; cancel: string }) {
  const t = useT();
  const [offer, setOffer] = useState<{ secret: string; qr: string }>();
  const [failed, setFailed] = useState<string>();
  const [code, setCode] = useState('');
  const [wrong, setWrong] = useState<string>();
  const [busy, setBusy] = useState(false);
  // Its answer holds the recovery codes, which are shown this once.
  useAtWork(busy);
  const [recovery, setRecovery] = useState<readonly string[]>();
  const [turn, setTurn] = useState(0);
  // biome-ignore lint/correctness/useExhaustiveDependencies: asked anew by `turn`
  useEffect(() => {
    let gone = false;
    setFailed(undefined);
    api(mfaCalls.bindInfo, {}, { hidden: true }).then(
      (made) => !gone && setOffer(made),
      (error: unknown) => !gone && setFailed(messageOf(error)),
    );
    return () => {
      gone = true;
    };
  }, [turn]);
  if (recovery) return <RecoveryCodes codes={recovery} onDone={onDone} />;
  if (failed)
    return (
      <ErrorState text={failed} onRetry={() => setTurn(turn + 1)}>
        <Button onClick={onCancel}>{cancel}</Button>
      </ErrorState>
    );
  if (!offer) return <PageSkeleton />;
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    if (busy || code.trim() === '') return;
    setBusy(true);
    setWrong(undefined);
    try {
      setRecovery((await api(mfaCalls.bind, { code: code.trim() }, { hidden: true })).recovery);
    } catch (error) {
      setWrong((isCallError(error) ? error.fields.code?.message : undefined) ?? messageOf(error));
      setCode('');
    } finally {
      setBusy(false);
    }
  };
  return (
    <form className="m-stack" noValidate onSubmit={(event) => void submit(event)}>
      <p>{t('account.totp.scan')}</p>
      <div className="m-qr">
        <img src={offer.qr} alt={t('account.totp.qr')} width={232} height={232} />
      </div>
      <p className="m-muted">
        {t('account.totp.type')} <CopyText text={offer.secret} />
      </p>
      <Field label={t('auth.mfa.totp')} help={t('account.totp.code')} error={wrong} id="bind-code">
        <TextInput value={code} onChange={setCode} mono max={6} inputMode="numeric" autoComplete="one-time-code" />
      </Field>
      <div className="m-form-foot">
        <Button onClick={onCancel} disabled={busy}>
          {cancel}
        </Button>
        <Button look="primary" submit busy={busy}>
          {t('account.totp.bind')}
        </Button>
      </div>
    </form>
  );
}
