import { type RegisterKind, registerCalls } from '@mooring/contract/auth/register-calls';
import { CODE_DIGITS_MOST, MailedCode } from '@mooring/contract/shared/one-time-code';
import type { PasswordRules } from '@mooring/contract/shared/password';
import { type FormEvent, useState } from 'react';
import { api, messageOf } from '../../kit/client.ts';
import { Button } from '../../ui/button.tsx';
import { TextInput } from '../../ui/controls.tsx';
import { Field } from '../../ui/field.tsx';
import { Note } from '../../ui/states.tsx';
import { useT } from '../../ui/words.ts';
import { DeptFields, useNewDept } from './register-dept.tsx';
import { fieldsOf, PersonFields, usePerson } from './register-person.tsx';
import type { Place } from './register-place.tsx';
import { enterAs } from './register-sign-in.ts';

interface Props {
  kind: RegisterKind;
  place: Place | undefined;
  email: string;
  rules: PasswordRules;
  onBack: () => void;
  onDone: () => void;
}

/** The mailed code, the person, and the organisation where there is a new one. */
export function RegisterDetails({ kind, place, email, rules, onBack, onDone }: Props) {
  const t = useT();
  const person = usePerson(email, rules);
  const [dept, setDept] = useNewDept();
  const [code, setCode] = useState('');
  const [tried, setTried] = useState(false);
  const [busy, setBusy] = useState(false);
  const [failure, setFailure] = useState<string>();
  const [wrong, setWrong] = useState<Readonly<Record<string, string>>>({});
  const hasDept = kind === 'org' || kind === 'child';
  const ready = person.ready && MailedCode.safeParse(code).success && (!hasDept || dept.name.trim() !== '');
  const send = () => {
    const common = { account: person.account, userName: person.userName, password: person.fresh.next, email, code: code.trim() };
    const id = place?.id ?? 0;
    if (kind === 'org') return api(registerCalls.dept, { ...common, ...dept, unitId: id }, { hidden: true });
    if (kind === 'child') return api(registerCalls.child, { ...common, ...dept, parentId: id }, { hidden: true });
    if (kind === 'join') return api(registerCalls.join, { ...common, deptId: id }, { hidden: true });
    return api(registerCalls.one, common, { hidden: true });
  };
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    setTried(true);
    setFailure(undefined);
    setWrong({});
    if (busy || !ready) return;
    setBusy(true);
    try {
      await send();
      onDone();
      await enterAs(email, person.fresh.next, 'register.done');
    } catch (error) {
      setWrong(fieldsOf(error));
      setFailure(messageOf(error));
    } finally {
      setBusy(false);
    }
  };
  return (
    <form className="m-stack" noValidate onSubmit={(event) => void submit(event)}>
      {failure ? <Note tone="danger">{failure}</Note> : <Note tone="info">{t('register.email.sent', { email })}</Note>}
      <Field
        label={t('auth.code')}
        id="register-code"
        error={
          wrong.code ??
          (tried && code.trim() === ''
            ? t('invalid.required')
            : tried && !MailedCode.safeParse(code).success
              ? t('invalid.code')
              : undefined)
        }
      >
        <TextInput value={code} onChange={setCode} mono max={CODE_DIGITS_MOST} autoFocus inputMode="numeric" autoComplete="one-time-code" />
      </Field>
      {hasDept ? <DeptFields dept={dept} onDept={setDept} tried={tried} wrong={wrong} /> : null}
      <PersonFields person={person} rules={rules} tried={tried} wrong={wrong} />
      <div className="m-form-foot">
        <Button onClick={onBack}>{t('register.back')}</Button>
        <Button look="primary" submit busy={busy}>
          {t('register.submit')}
        </Button>
      </div>
    </form>
  );
}
