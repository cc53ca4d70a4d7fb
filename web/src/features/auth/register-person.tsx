import type { PasswordRules } from '@mooring/contract/shared/password';
import { useState } from 'react';
import { type NewPassword, NewPasswordFields, useNewPassword } from '../../kit/access/new-password.tsx';
import { callError, isCallError } from '../../kit/outcome.ts';
import { TextInput } from '../../ui/controls.tsx';
import { Field } from '../../ui/field.tsx';
import { useT } from '../../ui/words.ts';

export interface Person {
  readonly userName: string;
  readonly account: string;
  readonly fresh: NewPassword;
  readonly set: (what: { userName?: string; account?: string }) => void;
  readonly ready: boolean;
}

/** Account names hold no @; the part before it is a fair wish. */
const wishFrom = (email: string) =>
  (email.split('@')[0] ?? '')
    .replace(/[^A-Za-z0-9._-]/g, '')
    .replace(/^[._-]+/, '')
    .slice(0, 32);

export function usePerson(email: string, rules: PasswordRules): Person {
  const [typed, setTyped] = useState<{ userName: string; account?: string }>({ userName: '' });
  const account = typed.account ?? wishFrom(email);
  const fresh = useNewPassword(rules, { account, email });
  return {
    userName: typed.userName,
    account,
    fresh,
    set: (what) => setTyped((now) => ({ ...now, ...what })),
    ready: typed.userName.trim() !== '' && account.trim().length >= 3 && fresh.ready,
  };
}

/** What is wrong at each field, by the server; undefined where it says something else. */
export const fieldsOf = (error: unknown): Readonly<Record<string, string>> =>
  isCallError(error) ? Object.fromEntries(Object.entries(callError(error).fields).map(([name, one]) => [name, one.message])) : {};

interface Props {
  person: Person;
  rules: PasswordRules;
  tried: boolean;
  wrong: Readonly<Record<string, string>>;
}

export function PersonFields({ person, rules, tried, wrong }: Props) {
  const t = useT();
  const missing = (value: string) => (tried && value.trim() === '' ? t('invalid.required') : undefined);
  return (
    <>
      <Field label={t('register.userName')} id="register-name" error={wrong.userName ?? missing(person.userName)}>
        <TextInput value={person.userName} onChange={(userName) => person.set({ userName })} autoComplete="name" max={64} />
      </Field>
      <Field
        label={t('register.account')}
        id="register-account"
        help={t('register.account.help')}
        error={wrong.account ?? missing(person.account)}
      >
        <TextInput value={person.account} onChange={(account) => person.set({ account })} autoComplete="username" max={32} />
      </Field>
      <NewPasswordFields state={person.fresh} rules={rules} tried={tried} refused={wrong.password} />
    </>
  );
}
