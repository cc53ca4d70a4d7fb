import { signInCalls } from '@mooring/contract/auth/calls';
import type { OutputOf } from '@mooring/contract/kit/call';
import { defaultPasswordRules } from '@mooring/contract/shared/password';
import { type FormEvent, useState } from 'react';
import { NewPasswordFields, useNewPassword } from '../../kit/access/new-password.tsx';
import { TokenChoice } from '../../kit/access/token-choice.tsx';
import { api, messageOf } from '../../kit/client.ts';
import { Link } from '../../kit/link.tsx';
import { useSends } from '../../kit/no-mail.tsx';
import { isCallError } from '../../kit/outcome.ts';
import { useCall } from '../../kit/queries.ts';
import { go } from '../../kit/view.ts';
import { Button } from '../../ui/button.tsx';
import { Note } from '../../ui/states.tsx';
import { toast } from '../../ui/toast.tsx';
import { useT } from '../../ui/words.ts';
import { EnterCode } from './enter-code.tsx';
import { useMailedStep } from './mailed-step.ts';
import { SendCode } from './send-code.tsx';
import { SignInFrame } from './sign-in-frame.tsx';

interface Proven {
  readonly ticket: string;
  readonly account: string;
  readonly tokens: OutputOf<typeof signInCalls.validateCode>['tokens'];
}

/** Address, mailed code, new password: in this order, each with what the one before gave. */
function Reset() {
  const t = useT();
  const sends = useSends();
  const { to: email, setTo: setEmail, ticket, wait, sent, over: again } = useMailedStep('reset');
  const [proven, setProven] = useState<Proven>();
  const over = () => {
    setProven(undefined);
    again();
  };
  if (proven) return <Choose email={email} proven={proven} onDone={again} onOver={over} />;
  return (
    <>
      <h1>{t('auth.reset.title')}</h1>
      {!sends ? (
        <Note tone="warn">{t('settings.mail.unset.door')}</Note>
      ) : wait === undefined ? (
        <>
          <p className="m-muted">{t('auth.reset.lead')}</p>
          <SendCode purpose="reset" to={email} onTo={setEmail} takes="email" onSent={sent} />
        </>
      ) : (
        <EnterCode
          to={email.trim()}
          takes="email"
          wait={wait}
          submit={t('auth.next')}
          onBack={again}
          onCode={async (code) => setProven(await api(signInCalls.validateCode, { email: email.trim(), code, ticket }, { hidden: true }))}
        />
      )}
      <p>
        <Link to="/login">{t('auth.toLogin')}</Link>
      </p>
    </>
  );
}

function Choose({ email, proven, onDone, onOver }: { email: string; proven: Proven; onDone: () => void; onOver: () => void }) {
  const t = useT();
  const policy = useCall(signInCalls.policyByEmail, { email: email.trim() });
  const rules = policy.data ?? defaultPasswordRules;
  const fresh = useNewPassword(rules, { account: proven.account, email: email.trim() });
  const [revoke, setRevoke] = useState(true);
  const [tried, setTried] = useState(false);
  const [refused, setRefused] = useState<string>();
  const [failure, setFailure] = useState<string>();
  const [busy, setBusy] = useState(false);
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    setTried(true);
    setRefused(undefined);
    setFailure(undefined);
    if (busy || !fresh.ready) return;
    setBusy(true);
    try {
      await api(
        signInCalls.resetPassword,
        { ticket: proven.ticket, newPassword: fresh.next, tokens: revoke ? 'revoke' : 'keep' },
        { hidden: true },
      );
      onDone();
      toast('done', t('auth.reset.done'));
      go('/login', { replace: true });
    } catch (error) {
      if (isCallError(error) && error.fields.newPassword) setRefused(messageOf(error));
      else setFailure(messageOf(error));
    } finally {
      setBusy(false);
    }
  };
  return (
    <form className="m-stack" noValidate onSubmit={(event) => void submit(event)}>
      <h1>{t('auth.reset.title')}</h1>
      <p className="m-muted">{t('auth.reset.for', { account: proven.account })}</p>
      {failure ? <Note tone="danger">{failure}</Note> : null}
      <input type="text" name="username" autoComplete="username" value={proven.account} readOnly hidden />
      <NewPasswordFields state={fresh} rules={rules} tried={tried} refused={refused} />
      <TokenChoice tokens={proven.tokens} revoke={revoke} onRevoke={setRevoke} />
      <div className="m-form-foot">
        <Button onClick={onOver}>{t('kit.cancel')}</Button>
        <Button look="primary" submit busy={busy}>
          {t('auth.change.submit')}
        </Button>
      </div>
    </form>
  );
}

const Page = () => (
  <SignInFrame title="auth.reset.title">
    <Reset />
  </SignInFrame>
);
export const passwordPage = { View: Page };
