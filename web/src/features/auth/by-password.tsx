import { loginCalls } from '@mooring/contract/auth/calls';
import type { OutputOf, Platform } from '@mooring/contract/kit/call';
import { type FormEvent, useRef, useState } from 'react';
import { api, messageOf } from '../../kit/client.ts';
import { Link } from '../../kit/link.tsx';
import { isCallError } from '../../kit/outcome.ts';
import { Button } from '../../ui/button.tsx';
import { PasswordInput, TextInput } from '../../ui/controls.tsx';
import { Field } from '../../ui/field.tsx';
import { Note } from '../../ui/states.tsx';
import { useT } from '../../ui/words.ts';
import { CaptchaField, useCaptcha } from './captcha-field.tsx';
import { PlatformField } from './platform-field.tsx';

export interface WayProps {
  platform: Platform;
  onPlatform: (platform: Platform) => void;
  onAnswer: (answer: OutputOf<typeof loginCalls.account>) => Promise<void> | void;
}

export function ByPassword({ platform, onPlatform, onAnswer }: WayProps) {
  const t = useT();
  const [account, setAccount] = useState('');
  const [password, setPassword] = useState('');
  const [failure, setFailure] = useState<string>();
  const [busy, setBusy] = useState(false);
  const [tried, setTried] = useState(false);
  const captcha = useCaptcha();
  const frame = useRef<HTMLFormElement>(null);
  const { picture, code } = captcha;

  const ready = account.trim() !== '' && password !== '' && (!picture || code.trim() !== '');
  const missing = (value: string) => (tried && value.trim() === '' ? t('invalid.required') : undefined);
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    setTried(true);
    if (busy || !ready) return;
    setBusy(true);
    setFailure(undefined);
    try {
      await onAnswer(
        await api(loginCalls.account, { account, password, platform, ...(picture ? { captcha: { id: picture.id, code } } : {}) }),
      );
    } catch (error) {
      setFailure(messageOf(error));
      setTried(false);
      const asked = isCallError(error) && (error.fault === 'CAPTCHA_REQUIRED' || error.fields.captcha !== undefined);
      if (picture || asked) captcha.renew();
      frame.current?.querySelector<HTMLElement>('#login-password')?.focus();
    } finally {
      setBusy(false);
    }
  };
  return (
    <form ref={frame} className="m-stack m-login-way" onSubmit={(event) => void submit(event)} noValidate>
      {failure ? <Note tone="danger">{failure}</Note> : null}
      <Field label={t('auth.account')} id="login-account" error={missing(account)}>
        <TextInput value={account} onChange={setAccount} autoComplete="username" autoFocus max={128} />
      </Field>
      <Field label={t('auth.password')} id="login-password" error={missing(password)} help={<Link to="/password">{t('auth.forgot')}</Link>}>
        <PasswordInput value={password} onChange={setPassword} />
      </Field>
      <CaptchaField captcha={captcha} error={missing(code)} />
      <PlatformField value={platform} onChange={onPlatform} />
      <Button look="primary" submit block busy={busy}>
        {t('auth.submit')}
      </Button>
    </form>
  );
}
