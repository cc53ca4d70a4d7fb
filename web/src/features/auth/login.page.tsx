import { doorCalls, loginCalls } from '@mooring/contract/auth/calls';
import type { Platform } from '@mooring/contract/kit/call';
import { settingCalls } from '@mooring/contract/settings/calls';
import { type FormEvent, useCallback, useEffect, useRef, useState } from 'react';
import { Brand, useBrand } from '../../kit/brand.tsx';
import { api, messageOf } from '../../kit/client.ts';
import { LanguageMenu, ThemeMenu } from '../../kit/look-menus.tsx';
import { isCallError } from '../../kit/outcome.ts';
import { useCall } from '../../kit/queries.ts';
import { keepToken, session, signedIn } from '../../kit/session.ts';
import { go, useView } from '../../kit/view.ts';
import { Button, IconButton } from '../../ui/button.tsx';
import { PasswordInput, RadioGroup, TextInput } from '../../ui/controls.tsx';
import { Field } from '../../ui/field.tsx';
import { Note } from '../../ui/states.tsx';
import { useT } from '../../ui/words.ts';

interface Picture {
  readonly id: string;
  readonly image: string;
}

function useCaptcha() {
  const [picture, setPicture] = useState<Picture>();
  const renew = useCallback(() => void api(doorCalls.captcha, {}).then(setPicture, () => setPicture(undefined)), []);
  return { picture, renew };
}

/** Only an address of this console: a link to the login page leads nowhere else. */
const safeReturn = (to: string | null): string | undefined => (to && /^\/(?![/\\])/.test(to) ? to : undefined);

function SignIn() {
  const t = useT();
  const view = useView();
  const [account, setAccount] = useState('');
  const [password, setPassword] = useState('');
  const [platform, setPlatform] = useState<Platform>(session.get().platform);
  const [code, setCode] = useState('');
  const [failure, setFailure] = useState<string>();
  const [busy, setBusy] = useState(false);
  const [tried, setTried] = useState(false);
  const { picture, renew } = useCaptcha();
  const frame = useRef<HTMLFormElement>(null);
  const ended = view.search.get('ended') !== null;

  const ready = account.trim() !== '' && password !== '' && (!picture || code.trim() !== '');
  const missing = (value: string) => (tried && value.trim() === '' ? t('invalid.required') : undefined);
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    setTried(true);
    if (busy || !ready) return;
    setBusy(true);
    setFailure(undefined);
    try {
      const captcha = picture ? { captcha: { id: picture.id, code } } : {};
      const made = await api(loginCalls.account, { account, password, platform, ...captcha });
      keepToken(made.platform, made.token);
      await signedIn(made.platform);
      go(safeReturn(view.search.get('to')) ?? '/', { replace: true });
    } catch (error) {
      setFailure(messageOf(error));
      setTried(false);
      const fault = isCallError(error) ? error.fault : undefined;
      setCode('');
      if (picture || fault === 'CAPTCHA_REQUIRED' || fault === 'CAPTCHA_WRONG') renew();
      frame.current?.querySelector<HTMLElement>('#login-password')?.focus();
    } finally {
      setBusy(false);
    }
  };
  return (
    <form ref={frame} className="m-login-form m-stack" onSubmit={(event) => void submit(event)} noValidate>
      <h1>{t('auth.title')}</h1>
      {ended && !failure ? <Note tone="info">{t('auth.ended')}</Note> : null}
      {failure ? <Note tone="danger">{failure}</Note> : null}
      <Field label={t('auth.account')} id="login-account" error={missing(account)}>
        <TextInput value={account} onChange={setAccount} autoComplete="username" autoFocus max={128} />
      </Field>
      <Field label={t('auth.password')} id="login-password" error={missing(password)}>
        <PasswordInput value={password} onChange={setPassword} />
      </Field>
      {picture ? (
        <Field label={t('auth.captcha')} id="login-captcha" error={missing(code)}>
          <span className="m-row">
            <TextInput value={code} onChange={setCode} max={8} />
            <img className="m-captcha" src={picture.image} alt={t('auth.captcha.alt')} width={120} height={36} />
            <IconButton icon="reload" label={t('auth.captcha.new')} onClick={renew} />
          </span>
        </Field>
      ) : null}
      <Field label={t('auth.platform')} group>
        <RadioGroup
          boxes
          value={platform}
          onChange={setPlatform}
          options={[
            { value: 'centre', label: t('platform.centre') },
            { value: 'manager', label: t('platform.manager') },
          ]}
        />
      </Field>
      <Button look="primary" submit block busy={busy}>
        {t('auth.submit')}
      </Button>
    </form>
  );
}

function Login() {
  const t = useT();
  const brand = useBrand();
  const { data } = useCall(settingCalls.pageSetting, {});
  useEffect(() => {
    document.title = `${t('auth.title')} · ${brand.name}`;
  }, [t, brand.name]);
  return (
    <div className="m-login">
      <aside
        className="m-login-side"
        style={data?.loginPageImg ? { backgroundImage: `url(${JSON.stringify(data.loginPageImg)})` } : undefined}
      >
        <Brand large />
        {data?.loginPageImg ? null : <Harbour />}
        <p>{t('auth.lead')}</p>
      </aside>
      <main className="m-login-main">
        <div className="m-row m-login-tools">
          <span className="m-login-brand">
            <Brand />
          </span>
          <span className="m-grow" />
          <LanguageMenu />
          <ThemeMenu />
        </div>
        <SignIn />
        <p className="m-small m-faint">{[data?.companyName, data?.companyAddress].filter(Boolean).join(' · ')}</p>
      </main>
    </div>
  );
}

/** Terminals at their berths: lines from a quay to what it holds. */
function Harbour() {
  const berths = [
    [60, 210],
    [150, 168],
    [250, 226],
    [340, 150],
    [418, 204],
  ] as const;
  return (
    <svg className="m-harbour" viewBox="0 0 480 320" aria-hidden="true" fill="none" stroke="currentColor" strokeWidth="1.5">
      <path d="M0 60h480" strokeWidth="3" />
      {berths.map(([x, y], at) => (
        <g key={x}>
          <circle cx={x} cy="60" r="5" fill="currentColor" />
          <path d={`M${x} 64C${x - 14} ${y / 2 + 40} ${x + 14} ${y / 2 + 50} ${x} ${y - 34}`} opacity="0.7" />
          <rect x={x - 20} y={y - 34} width="40" height="64" rx="6" />
          <rect
            x={x - 14}
            y={y - 27}
            width="28"
            height="22"
            rx="2"
            fill={at === 2 ? 'none' : 'currentColor'}
            opacity={at === 2 ? 1 : 0.35}
          />
          {[0, 1, 2].map((column) =>
            [0, 1].map((row) => (
              <circle key={`${column}${row}`} cx={x - 10 + column * 10} cy={y + 6 + row * 10} r="2.2" fill="currentColor" opacity="0.7" />
            )),
          )}
        </g>
      ))}
      {[262, 284, 306].map((y, at) => (
        <path key={y} d={`M0 ${y}q30 -8 60 0t60 0t60 0t60 0t60 0t60 0t60 0t60 0`} opacity={0.4 - at * 0.1} />
      ))}
    </svg>
  );
}

export const loginPage = { View: Login };
