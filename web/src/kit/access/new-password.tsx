import { checkPassword, isRepeated, type PasswordCheck, type PasswordRules, type PasswordVerdict } from '@mooring/contract/shared/password';
import { useState } from 'react';
import { PasswordInput } from '../../ui/controls.tsx';
import { Field } from '../../ui/field.tsx';
import { ToneMark } from '../../ui/status-tag.tsx';
import { useT } from '../../ui/words.ts';

const order: readonly PasswordCheck[] = ['length', 'types', 'sequence', 'same'];
const tones = { pending: 'idle', failed: 'bad', passed: 'good' } as const;

export interface NewPassword {
  readonly next: string;
  readonly repeat: string;
  readonly verdict: PasswordVerdict;
  readonly ready: boolean;
  readonly set: (next: string) => void;
  readonly setRepeat: (repeat: string) => void;
}

export function useNewPassword(rules: PasswordRules, who: { account?: string | null; email?: string | null }): NewPassword {
  const [next, set] = useState('');
  const [repeat, setRepeat] = useState('');
  const verdict = checkPassword(next, rules, who);
  return { next, repeat, verdict, ready: verdict.ok && isRepeated(next, repeat), set, setRepeat };
}

/** A new password with its four live checks, and the repeat. */
export function NewPasswordFields({
  state,
  rules,
  tried,
  refused,
}: {
  state: NewPassword;
  rules: PasswordRules;
  tried: boolean;
  refused?: string | undefined;
}) {
  const t = useT();
  const [left, setLeft] = useState(false);
  const { next, repeat, verdict } = state;
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
  const error = refused ?? own ?? (tried && !verdict.ok ? t('fault.PASSWORD_WEAK') : undefined);
  const again = (tried || (left && repeat !== '')) && !isRepeated(next, repeat) ? t('auth.change.again') : undefined;
  return (
    <>
      <Field label={t('auth.change.new')} error={error}>
        <PasswordInput value={next} onChange={state.set} autoComplete="new-password" />
      </Field>
      <ul className="m-checks" aria-live="polite">
        {order
          .filter((check) => check !== 'same' || rules.sameCharLimit > 0)
          .map((check) => (
            <li key={check} className={`m-row m-check-${verdict.checks[check]}`}>
              <ToneMark tone={tones[verdict.checks[check]]} />
              <span className="m-grow">{t(`auth.check.${check}`, params[check] as Record<string, number>)}</span>
              <span className="m-hidden">{t(`auth.check.${verdict.checks[check]}`)}</span>
            </li>
          ))}
      </ul>
      <Field label={t('auth.change.repeat')} error={again}>
        <PasswordInput value={repeat} onChange={state.setRepeat} onBlur={() => setLeft(true)} autoComplete="new-password" />
      </Field>
    </>
  );
}
