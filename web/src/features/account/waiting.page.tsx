import { type Registration, registerCalls, registerDeptFields } from '@mooring/contract/auth/register-calls';
import { useState } from 'react';
import { z } from 'zod';
import { allows } from '../../kit/allows.ts';
import { CallFailed } from '../../kit/dead-end.tsx';
import { SubForm } from '../../kit/form/sub-form.tsx';
import type { Values } from '../../kit/form/types.ts';
import { useAct, useCall } from '../../kit/queries.ts';
import { keepToken, session, signedIn, useSession, welcomeUser } from '../../kit/session.ts';
import { go } from '../../kit/view.ts';
import { Button } from '../../ui/button.tsx';
import { Confirm } from '../../ui/dialog.tsx';
import { FactList } from '../../ui/fact-list.tsx';
import { Empty, Note, PageSkeleton } from '../../ui/states.tsx';
import { StatusTag } from '../../ui/status-tag.tsx';
import { useFormat, useT } from '../../ui/words.ts';

const tones = { waiting: 'wait', refused: 'bad', approved: 'good', withdrawn: 'ended' } as const;
const DeptInput = z.strictObject(registerDeptFields);
const EVERY_SECONDS = 20;

function Waiting() {
  const t = useT();
  const { user } = useSession();
  const id = user?.waiting?.id;
  const { data, error, loading, retry } = useCall(
    registerCalls.detail,
    { id: id ?? 0 },
    { enabled: id !== undefined, every: EVERY_SECONDS },
  );
  if (id === undefined)
    return (
      <Empty level={1} icon="check" title={t('register.waiting.state.approved')} text={t('register.waiting.lead.approved')}>
        <Button look="primary" onClick={() => go('/', { replace: true })}>
          {t('register.waiting.enter')}
        </Button>
      </Empty>
    );
  if (error && !data) return <CallFailed part error={error} onRetry={retry} />;
  if (loading || !data) return <PageSkeleton />;
  return <Shown key={data.state} row={data} />;
}

function Shown({ row }: { row: Registration }) {
  const t = useT();
  const format = useFormat();
  const [leaving, setLeaving] = useState(false);
  const [dept, setDept] = useState<Values>();
  const again = useAct(registerCalls.resubmit, { successText: 'register.waiting.resubmitted' });
  const withdraw = useAct(registerCalls.withdraw, {
    successText: 'register.waiting.withdrawn',
    done: () => {
      keepToken(session.get().platform, undefined);
      welcomeUser(undefined);
      go('/login', { replace: true });
    },
  });
  const resubmit = () => again.run({ id: row.id, ...(row.dept ? { dept: DeptInput.parse(dept ?? row.dept) } : {}) });
  const facts = [
    [t('register.waiting.kind'), t(`register.kind.${row.kind}`)],
    [t('register.waiting.dept'), row.deptName],
    [t('register.waiting.decider'), row.decider],
    [t('register.waiting.account'), row.account],
    [t('register.email'), row.email ?? ''],
    [t('register.waiting.at'), format.moment(String(row.createdAt))],
  ] as const;
  const mayMend = allows(row, 'resubmit');
  return (
    <div className="m-panel m-panel-body m-gate-card m-stack">
      <h1>{t('page.waiting')}</h1>
      <StatusTag tone={tones[row.state]}>{t(`register.waiting.state.${row.state}`)}</StatusTag>
      <p>{t(`register.waiting.lead.${row.state}`, { decider: row.decider })}</p>
      {row.reason ? (
        <Note tone="warn">
          {t('register.waiting.reason')}: {row.reason}
        </Note>
      ) : null}
      <FactList facts={facts} />
      {mayMend && row.dept ? (
        <SubForm
          schema={DeptInput}
          value={row.dept}
          onChange={setDept}
          fields={[
            { name: 'name', label: 'register.orgName' },
            { name: 'contactPhone', label: 'register.contactPhone' },
            { name: 'address', label: 'register.address', wide: true },
          ]}
        />
      ) : null}
      <div className="m-form-foot">
        {allows(row, 'withdraw') ? <Button onClick={() => setLeaving(true)}>{t('register.waiting.withdraw')}</Button> : null}
        {mayMend ? (
          <Button look="primary" busy={again.busy} onClick={resubmit}>
            {t('register.waiting.resubmit')}
          </Button>
        ) : null}
        {row.state === 'approved' ? (
          <Button look="primary" onClick={() => void signedIn(session.get().platform).then(() => go('/', { replace: true }))}>
            {t('register.waiting.enter')}
          </Button>
        ) : null}
      </div>
      <Confirm
        open={leaving}
        title={t('register.waiting.withdraw.title')}
        confirm={t('register.waiting.withdraw')}
        danger
        busy={withdraw.busy}
        onClose={() => setLeaving(false)}
        onConfirm={() => withdraw.run({ id: row.id })}
      >
        {t('register.waiting.withdraw.text')}
      </Confirm>
    </div>
  );
}

export const waitingPage = { View: Waiting };
