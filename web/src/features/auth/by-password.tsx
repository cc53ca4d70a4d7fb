import { loginCalls, signInCalls } from '@mooring/contract/auth/calls';
import type { OutputOf, Platform } from '@mooring/contract/kit/call';
import { type FormEvent, useRef, useState } from 'react';
import { api, messageOf } from '../../kit/client.ts';
import { Link } from '../../kit/link.tsx';
import { useSends } from '../../kit/no-mail.tsx';
import { isCallError } from '../../kit/outcome.ts';
import { Button } from '../../ui/button.tsx';
import { PasswordInput, TextInput } from '../../ui/controls.tsx';
import { Field } from '../../ui/field.tsx';
import { Note } from '../../ui/states.tsx';
import { useT } from '../../ui/words.ts';
import { Checking } from './checking.tsx';
import { PlatformField } from './platform-field.tsx';
import { solved } from './proof/solved.ts';

export interface WayProps {
  platform: Platform;
  onPlatform: (platform: Platform) => void;
  onAnswer: (answer: OutputOf<typeof loginCalls.account>) => Promise<void> | void;
}

interface Props extends WayProps {
  /** Kept by the door: whoever comes back from a second step finds it. */
  readonly account: string;
  readonly onAccount: (account: string) => void;
}

export function ByPassword({ account, onAccount, platform, onPlatform, onAnswer }: Props) {
  const t = useT();
  const sends = useSends();
  const [password, setPassword] = useState('');
  const [failure, setFailure] = useState<string>();
  const [busy, setBusy] = useState(false);
  const [tried, setTried] = useState(false);
  const [checking, setChecking] = useState(false);
  const frame = useRef<HTMLFormElement>(null);

  const ready = account.trim() !== '' && password !== '';
  const missing = (value: string) => (tried && value.trim() === '' ? t('invalid.required') : undefined);
  /** Where work is asked for first, it is done, and the same is tried again. */
  const signIn = async () => {
    const input = { account, password, platform };
    try {
      return await api(loginCalls.account, input);
    } catch (error) {
      if (!isCallError(error) || error.fault !== 'CAPTCHA_REQUIRED') throw error;
    }
    setChecking(true);
    try {
      const { challenge } = await api(signInCalls.captchaCheck, { account });
      return await api(loginCalls.account, { ...input, ...(challenge === null ? {} : { proof: await solved(challenge) }) });
    } finally {
      setChecking(false);
    }
  };
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    setTried(true);
    if (busy || !ready) return;
    setBusy(true);
    setFailure(undefined);
    try {
      await onAnswer(await signIn());
    } catch (error) {
      setFailure(messageOf(error));
      setTried(false);
      frame.current?.querySelector<HTMLElement>('#login-password')?.focus();
    } finally {
      setBusy(false);
    }
  };
  return (
    <form ref={frame} className="m-stack m-login-way" onSubmit={(event) => void submit(event)} noValidate>
      {failure ? <Note tone="danger">{failure}</Note> : null}
      <Field label={t('auth.account')} id="login-account" error={missing(account)}>
        <TextInput value={account} onChange={onAccount} autoComplete="username" autoFocus max={128} />
      </Field>
      <Field
        label={t('auth.password')}
        id="login-password"
        error={missing(password)}
        help={sends ? <Link to="/password">{t('auth.forgot')}</Link> : undefined}
      >
        <PasswordInput value={password} onChange={setPassword} />
      </Field>
      <PlatformField value={platform} onChange={onPlatform} />
      <Button look="primary" submit block busy={busy}>
        {t('auth.submit')}
      </Button>
      <Checking on={checking} />
    </form>
  );
}
