import { userCalls } from '@mooring/contract/account/calls';
import { checkPassword, defaultPasswordRules, isRepeated, type PasswordCheck } from '@mooring/contract/shared/password';
import { type FormEvent, useState } from 'react';
import { api, messageOf } from '../kit/client.ts';
import { isCallError } from '../kit/outcome.ts';
import { useCall } from '../kit/queries.ts';
import { useSession } from '../kit/session.ts';
import { Button } from '../ui/button.tsx';
import { PasswordInput } from '../ui/controls.tsx';
import { Field } from '../ui/field.tsx';
import { Note } from '../ui/states.tsx';
import { ToneMark } from '../ui/status-tag.tsx';
import { toast } from '../ui/toast.tsx';
import { useT } from '../ui/words.ts';

const order: readonly PasswordCheck[] = ['length', 'types', 'sequence', 'same'];
const tones = { pending: 'idle', failed: 'bad', passed: 'good' } as const;
const faultFields: Record<string, 'present' | 'next'> = {
  PASSWORD_WRONG: 'present',
  PASSWORD_WEAK: 'next',
  PASSWORD_SAME: 'next',
  PASSWORD_IS_ACCOUNT: 'next',
  PASSWORD_IS_EMAIL: 'next',
};

/** Present password, new one with its four live checks, and the repeat. */
export function ChangePassword({ onDone, onCancel, cancel }: { onDone: () => void; onCancel: () => void; cancel: string }) {
  const t = useT();
  const { user } = useSession();
  const policy = useCall(userCalls.pwdPolicy, {});
  const rules = policy.data ?? defaultPasswordRules;
  const [present, setPresent] = useState('');
  const [next, setNext] = useState('');
  const [repeat, setRepeat] = useState('');
  const [tried, setTried] = useState(false);
  const [left, setLeft] = useState(false);
  const [refused, setRefused] = useState<{ field: 'present' | 'next' | 'all'; text: string }>();
  const [busy, setBusy] = useState(false);
  const verdict = checkPassword(next, rules, { account: user?.account ?? null, email: user?.email ?? null });
  const own = verdict.problems.includes('account')
    ? t('fault.PASSWORD_IS_ACCOUNT')
    : verdict.problems.includes('email')
      ? t('fault.PASSWORD_IS_EMAIL')
      : undefined;
  const params = {
    length: { min: rules.passwordMinLength, max: rules.passwordMaxLength },
    types: { count: Math.max(1, rules.charTypeMin) },
    sequence: {},
    same: { limit: Math.max(0, rules.sameCharLimit) },
  };
  const errors = {
    present: (refused?.field === 'present' ? refused.text : undefined) ?? (tried && present === '' ? t('invalid.required') : undefined),
    next: (refused?.field === 'next' ? refused.text : undefined) ?? own ?? (tried && !verdict.ok ? t('fault.PASSWORD_WEAK') : undefined),
    repeat: (tried || (left && repeat !== '')) && !isRepeated(next, repeat) ? t('auth.change.again') : undefined,
  };
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    setTried(true);
    setRefused(undefined);
    if (busy || present === '' || !verdict.ok || !isRepeated(next, repeat)) return;
    setBusy(true);
    try {
      await api(userCalls.password, { password: present, newPassword: next }, { hidden: true });
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
      <Field label={t('auth.change.present')} error={errors.present}>
        <PasswordInput value={present} onChange={setPresent} autoFocus />
      </Field>
      <Field label={t('auth.change.new')} error={errors.next}>
        <PasswordInput value={next} onChange={setNext} autoComplete="new-password" />
      </Field>
      <ul className="m-checks" aria-live="polite">
        {order.map((check) => (
          <li key={check} className={`m-row m-check-${verdict.checks[check]}`}>
            <ToneMark tone={tones[verdict.checks[check]]} />
            <span className="m-grow">{t(`auth.check.${check}`, params[check] as Record<string, number>)}</span>
            <span className="m-hidden">{t(`auth.check.${verdict.checks[check]}`)}</span>
          </li>
        ))}
      </ul>
      <Field label={t('auth.change.repeat')} error={errors.repeat}>
        <PasswordInput value={repeat} onChange={setRepeat} onBlur={() => setLeft(true)} autoComplete="new-password" />
      </Field>
      <div className="m-form-foot">
        <Button onClick={onCancel}>{cancel}</Button>
        <Button look="primary" submit busy={busy}>
          {t('auth.change.submit')}
        </Button>
      </div>
    </form>
  );
}
