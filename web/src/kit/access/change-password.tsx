import { userCalls } from '@mooring/contract/account/calls';
import { tokenCalls } from '@mooring/contract/account/token-calls';
import { defaultPasswordRules } from '@mooring/contract/shared/password';
import { type FormEvent, useState } from 'react';
import { Button } from '../../ui/button.tsx';
import { PasswordInput } from '../../ui/controls.tsx';
import { useAtWork } from '../../ui/dialog.tsx';
import { Field } from '../../ui/field.tsx';
import { Note } from '../../ui/states.tsx';
import { toast } from '../../ui/toast.tsx';
import { useT } from '../../ui/words.ts';
import { api, messageOf } from '../client.ts';
import { useSends } from '../no-mail.tsx';
import { isCallError } from '../outcome.ts';
import { useCall } from '../queries.ts';
import { useSession } from '../session.ts';
import { NewPasswordFields, useNewPassword } from './new-password.tsx';
import { TokenChoice } from './token-choice.tsx';

const faultFields: Record<string, 'present' | 'next'> = {
  PASSWORD_WRONG: 'present',
  PASSWORD_WEAK: 'next',
  PASSWORD_COMMON: 'next',
  PASSWORD_SAME: 'next',
  PASSWORD_USED: 'next',
  PASSWORD_IS_ACCOUNT: 'next',
  PASSWORD_IS_EMAIL: 'next',
};

/** Present password, new one with its four live checks, and the repeat. */
export function ChangePassword({ onDone, onCancel, cancel }: { onDone: () => void; onCancel: () => void; cancel: string }) {
  const t = useT();
  const { user } = useSession();
  const sends = useSends();
  // Whoever came in by a code has never typed it.
  const isFirst = user?.pwdDefFlag === true;
  const policy = useCall(userCalls.pwdPolicy, {});
  const rules = policy.data ?? defaultPasswordRules;
  const tokens = useCall(tokenCalls.page, { criteria: { state: 'valid' }, page: { size: 50 } });
  const [revoke, setRevoke] = useState(false);
  const [present, setPresent] = useState('');
  const fresh = useNewPassword(rules, { account: user?.account ?? null, email: user?.email ?? null });
  const [tried, setTried] = useState(false);
  const [refused, setRefused] = useState<{ field: 'present' | 'next' | 'all'; text: string }>();
  const [busy, setBusy] = useState(false);
  useAtWork(busy);
  const wrong = (refused?.field === 'present' ? refused.text : undefined) ?? (tried && present === '' ? t('invalid.required') : undefined);
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    setTried(true);
    setRefused(undefined);
    if (busy || present === '' || !fresh.ready) return;
    setBusy(true);
    try {
      await api(userCalls.password, { password: present, newPassword: fresh.next, tokens: revoke ? 'revoke' : 'keep' }, { hidden: true });
      toast('done', t('auth.change.done'));
      onDone();
    } catch (error) {
      const fault = isCallError(error) ? error.fault : undefined;
      setRefused({ field: faultFields[fault ?? ''] ?? 'all', text: messageOf(error) });
    } finally {
      setBusy(false);
    }
  };
  return (
    <form className="m-stack" noValidate onSubmit={(event) => void submit(event)}>
      {refused?.field === 'all' ? <Note tone="danger">{refused.text}</Note> : null}
      <input type="text" name="username" autoComplete="username" value={user?.account ?? ''} readOnly hidden />
      <Field
        label={t(isFirst ? 'auth.change.oneTime' : 'auth.change.present')}
        help={isFirst ? t(sends ? 'auth.change.oneTimeHelp' : 'auth.change.oneTimeHelpAsk') : undefined}
        error={wrong}
      >
        <PasswordInput value={present} onChange={setPresent} autoFocus />
      </Field>
      <NewPasswordFields state={fresh} rules={rules} tried={tried} refused={refused?.field === 'next' ? refused.text : undefined} />
      <TokenChoice tokens={tokens.data?.content ?? []} revoke={revoke} onRevoke={setRevoke} />
      <div className="m-form-foot">
        <Button onClick={onCancel} disabled={busy}>
          {cancel}
        </Button>
        <Button look="primary" submit busy={busy}>
          {t('auth.change.submit')}
        </Button>
      </div>
    </form>
  );
}
