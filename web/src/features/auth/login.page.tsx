import type { loginCalls } from '@mooring/contract/auth/calls';
import type { OutputOf, Platform } from '@mooring/contract/kit/call';
import { settingCalls } from '@mooring/contract/settings/calls';
import { useState } from 'react';
import { mayUsePasskeys } from '../../kit/access/passkey.ts';
import { Link } from '../../kit/link.tsx';
import { useSends } from '../../kit/no-mail.tsx';
import { useCall } from '../../kit/queries.ts';
import { keepToken, session, signedIn } from '../../kit/session.ts';
import { go, useView } from '../../kit/view.ts';
import { Bone, Loading, Note } from '../../ui/states.tsx';
import { Tabs } from '../../ui/tabs.tsx';
import { useT } from '../../ui/words.ts';
import { ByCode } from './by-code.tsx';
import { ByPasskey } from './by-passkey.tsx';
import { ByPassword } from './by-password.tsx';
import { ByProvider } from './by-provider.tsx';
import type { Takes } from './mail-form.tsx';
import { Restore } from './restore.tsx';
import { SecondStep } from './second-step.tsx';
import { SignInFrame } from './sign-in-frame.tsx';

type Answer = OutputOf<typeof loginCalls.account>;

/** Only an address of this console: a link to the login page leads nowhere else. */
const safeReturn = (to: string | null): string | undefined => (to && /^\/(?![/\\])/.test(to) ? to : undefined);

/** Where a code can go. Anywhere where the server doesn't say, as with what is sent. */
function takesOf({ email = true, sms = true }: { readonly email?: boolean; readonly sms?: boolean } = {}): Takes | undefined {
  return email ? (sms ? 'emailOrMobile' : 'email') : sms ? 'mobile' : undefined;
}

function Login() {
  const t = useT();
  const sends = useSends();
  const offered = useCall(settingCalls.pageSetting, {});
  const { registers = true, codes } = offered.data ?? {};
  const takes = takesOf(codes);
  const view = useView();
  const [way, setWay] = useState('password');
  const [platform, setPlatform] = useState<Platform>(session.get().platform);
  const [account, setAccount] = useState('');
  const [step, setStep] = useState<Answer>();
  const [said, setSaid] = useState<string>();
  const ended = view.search.get('ended') !== null;

  /** A session is taken up; whatever else the answer is shows its own step. */
  const take = async (answer: Answer) => {
    if (!answer.token) return setStep(answer);
    keepToken(answer.platform, answer.token);
    await signedIn(answer.platform);
    go(safeReturn(view.search.get('to')) ?? '/', { replace: true });
  };
  const again = (words?: string) => {
    setStep(undefined);
    setSaid(words);
  };
  // What isn't offered would be drawn and go away again, and the form would move from under the pointer.
  if (offered.loading)
    return (
      <Loading>
        <Bone height={320} />
      </Loading>
    );
  if (step?.mfa) return <SecondStep mfa={step.mfa} onAnswer={take} onBack={() => again()} />;
  if (step?.restore) return <Restore restore={step.restore} onDone={() => again(t('auth.restore.done'))} onBack={() => again()} />;
  const common = { platform, onPlatform: setPlatform, onAnswer: take };
  return (
    <>
      <h1>{t('auth.title')}</h1>
      {said ? <Note tone="info">{said}</Note> : ended ? <Note tone="info">{t('auth.ended')}</Note> : null}
      <Tabs
        untitled
        active={takes ? way : 'password'}
        onChange={setWay}
        items={[
          { key: 'password', label: t('auth.by.password'), children: <ByPassword {...common} account={account} onAccount={setAccount} /> },
          ...(takes ? [{ key: 'code', label: t('auth.by.code'), children: <ByCode {...common} takes={takes} /> }] : []),
        ]}
      />
      {sends && registers ? (
        <p>
          <Link to="/reg">{t('register.link')}</Link>
        </p>
      ) : null}
      {mayUsePasskeys() ? <ByPasskey platform={platform} onAnswer={take} /> : null}
      <ByProvider platform={platform} onAnswer={take} />
    </>
  );
}

const Page = () => (
  <SignInFrame title="auth.title">
    <Login />
  </SignInFrame>
);
export const loginPage = { View: Page };
