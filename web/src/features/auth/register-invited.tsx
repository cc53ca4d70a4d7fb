import { invitedCalls } from '@mooring/contract/auth/invite-calls';
import type { OutputOf } from '@mooring/contract/kit/call';
import { type FormEvent, useState } from 'react';
import { api, messageOf } from '../../kit/client.ts';
import { CallFailed } from '../../kit/dead-end.tsx';
import { useCall } from '../../kit/queries.ts';
import { Button } from '../../ui/button.tsx';
import { Empty, Note, PageSkeleton } from '../../ui/states.tsx';
import { useFormat, useT } from '../../ui/words.ts';
import { DeptFields, useNewDept } from './register-dept.tsx';
import { fieldsOf, PersonFields, usePerson } from './register-person.tsx';
import { enterAs } from './register-sign-in.ts';

type UserInvite = OutputOf<typeof invitedCalls.user>;
type DeptInvite = OutputOf<typeof invitedCalls.dept>;

/** Codes of organisations begin so; both kinds stand in the same link. */
const isOrg = (code: string) => code.startsWith('org-');

export function Invited({ code }: { code: string }) {
  const t = useT();
  const { data, error, loading, retry } = useCall(isOrg(code) ? invitedCalls.dept : invitedCalls.user, { code });
  if (loading) return <PageSkeleton />;
  if (data) return <Accept code={code} invite={data} />;
  if (error && error.fault !== 'INVITE_OVER' && error.fault !== 'BAD_INPUT') return <CallFailed part error={error} onRetry={retry} />;
  return <Empty level={1} icon="lock" title={t('register.invite.over.title')} text={t('register.invite.over.text')} />;
}

function Accept({ code, invite }: { code: string; invite: UserInvite | DeptInvite }) {
  const t = useT();
  const format = useFormat();
  const org = 'unitName' in invite ? invite : undefined;
  const person = usePerson(invite.email, invite.policy);
  const [dept, setDept] = useNewDept(org?.name ?? '');
  const [tried, setTried] = useState(false);
  const [busy, setBusy] = useState(false);
  const [failure, setFailure] = useState<string>();
  const [wrong, setWrong] = useState<Readonly<Record<string, string>>>({});
  const ready = person.ready && (!org || dept.name.trim() !== '');
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    setTried(true);
    setFailure(undefined);
    setWrong({});
    if (busy || !ready) return;
    setBusy(true);
    const common = { invite: code, account: person.account, userName: person.userName, password: person.fresh.next };
    try {
      if (org) await api(invitedCalls.deptRegist, { ...common, ...dept }, { hidden: true });
      else await api(invitedCalls.userRegist, common, { hidden: true });
      await enterAs(invite.email, person.fresh.next, 'register.done.invited');
    } catch (error) {
      setWrong(fieldsOf(error));
      setFailure(messageOf(error));
    } finally {
      setBusy(false);
    }
  };
  return (
    <form className="m-stack" noValidate onSubmit={(event) => void submit(event)}>
      <h1>{t('register.invite.title')}</h1>
      <p>
        {'unitName' in invite
          ? t('register.invite.dept', { inviter: invite.inviter, email: invite.email, dept: invite.name, unit: invite.unitName })
          : t('register.invite.user', { inviter: invite.inviter, email: invite.email, dept: invite.deptName })}
      </p>
      <p className="m-muted">
        {'roles' in invite ? `${t('register.invite.roles')}: ${invite.roles.join(', ')} · ` : ''}
        {t('register.invite.until', { until: format.moment(String(invite.expiresAt)) })}
      </p>
      {failure ? <Note tone="danger">{failure}</Note> : null}
      {org ? <DeptFields dept={dept} onDept={setDept} tried={tried} wrong={wrong} /> : null}
      <PersonFields person={person} rules={invite.policy} tried={tried} wrong={wrong} />
      <div className="m-form-foot">
        <Button look="primary" submit busy={busy}>
          {t('register.submit.invited')}
        </Button>
      </div>
    </form>
  );
}
