import { type RegisterKind, registerCalls } from '@mooring/contract/auth/register-calls';
import type { PasswordRules } from '@mooring/contract/shared/password';
import { type FormEvent, useState } from 'react';
import { CallFailed } from '../../kit/dead-end.tsx';
import { Link } from '../../kit/link.tsx';
import { useSends } from '../../kit/no-mail.tsx';
import { useCall } from '../../kit/queries.ts';
import { useView } from '../../kit/view.ts';
import { Button } from '../../ui/button.tsx';
import { RadioGroup } from '../../ui/controls.tsx';
import { Field } from '../../ui/field.tsx';
import { Steps } from '../../ui/figures.tsx';
import { Empty, PageSkeleton } from '../../ui/states.tsx';
import { useT } from '../../ui/words.ts';
import { RegisterDetails } from './register-details.tsx';
import { ConfirmEmail } from './register-email.tsx';
import { Invited } from './register-invited.tsx';
import { FindPlace } from './register-place.tsx';
import { SignInFrame } from './sign-in-frame.tsx';
import { useRegistration } from './use-registration.ts';

const steps = ['what', 'mail', 'you'] as const;

/** What, confirmed address, person: each with what the one before gave. */
function Wizard({ kinds, rules }: { kinds: readonly RegisterKind[]; rules: PasswordRules }) {
  const t = useT();
  const { step, kind, place, email, put, sent, over } = useRegistration(kinds);
  const at = steps.indexOf(step);
  const [tried, setTried] = useState(false);
  const next = (event: FormEvent) => {
    event.preventDefault();
    setTried(true);
    if (kind === 'one' || place) put({ step: 'mail' });
  };
  return (
    <>
      <h1>{t('register.title')}</h1>
      <Steps
        label={t('register.title')}
        steps={steps.map((key, index) => ({
          key,
          label: t(`register.step.${key}`),
          state: index < at ? 'done' : index === at ? 'now' : 'later',
        }))}
      />
      {step === 'what' ? (
        <form className="m-stack" noValidate onSubmit={next}>
          <p className="m-muted">{t('register.lead')}</p>
          <Field label={t('register.kind')} group>
            <RadioGroup
              boxes
              value={kind}
              onChange={(chosen) => {
                put({ kind: chosen, place: undefined });
                setTried(false);
              }}
              options={kinds.map((one) => ({ value: one, label: t(`register.kind.${one}`), about: t(`register.kind.${one}.about`) }))}
            />
          </Field>
          {kind === 'one' ? null : (
            <FindPlace key={kind} kind={kind} place={place} onPlace={(found) => put({ place: found })} tried={tried} />
          )}
          <Button look="primary" submit block>
            {t('auth.next')}
          </Button>
        </form>
      ) : step === 'mail' ? (
        <ConfirmEmail email={email} onEmail={(typed) => put({ email: typed })} onBack={() => put({ step: 'what' })} onSent={sent} />
      ) : (
        <RegisterDetails kind={kind} place={place} email={email.trim()} rules={rules} onBack={() => put({ step: 'mail' })} onDone={over} />
      )}
    </>
  );
}

function ByOneself() {
  const t = useT();
  const sends = useSends();
  const { data, error, loading, retry } = useCall(registerCalls.state, {});
  if (error && !data) return <CallFailed part error={error} onRetry={retry} />;
  if (loading || !data) return <PageSkeleton />;
  if (!data.open) return <Empty level={1} icon="lock" title={t('register.closed.title')} text={t('register.closed.text')} />;
  if (!sends) return <Empty level={1} icon="lock" title={t('register.closed.title')} text={t('settings.mail.unset')} />;
  return <Wizard kinds={data.kinds} rules={data.policy} />;
}

function Register() {
  const t = useT();
  const invite = useView().search.get('invite');
  return (
    <>
      {invite ? <Invited code={invite} /> : <ByOneself />}
      <p>
        <Link to="/login">{t('register.toLogin')}</Link>
      </p>
    </>
  );
}

const Page = () => (
  <SignInFrame title="register.title">
    <Register />
  </SignInFrame>
);
export const registerPage = { View: Page };
