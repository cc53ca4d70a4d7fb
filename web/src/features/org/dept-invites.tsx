import { deptInviteCalls } from '@mooring/contract/org/invite-calls';
import { deptInviteMachine } from '@mooring/contract/org/state-machines';
import { useDepts } from '../../kit/choices.ts';
import { FormDialog } from '../../kit/form/form-dialog.tsx';
import { type ListSpec, rowAction } from '../../kit/list/types.ts';
import { NoMail, useSends } from '../../kit/no-mail.tsx';
import { useAct, useCall } from '../../kit/queries.ts';
import { mayCall } from '../../kit/session.ts';
import { Switch } from '../../ui/controls.tsx';
import { CopyText } from '../../ui/copy-text.tsx';
import { useT } from '../../ui/words.ts';

const InviteDept = ({ onClose }: { onClose: () => void }) => {
  const sends = useSends();
  return (
    <FormDialog
      title="org.invite.add"
      call={deptInviteCalls.add}
      submit="org.invite.send"
      successText="org.invite.sent"
      about={<NoMail instead="org.invite.unset" />}
      blocked={!sends}
      fields={[
        { name: 'name', label: 'org.name' },
        { name: 'email', label: 'org.invite.email' },
        { name: 'parentId', label: 'org.parent', kind: 'one', useChoices: useDepts },
        { name: 'days', label: 'org.invite.days', kind: 'number' },
      ]}
      onClose={onClose}
    />
  );
};

/** Organisations that were asked to register. */
export const deptInvites: ListSpec<typeof deptInviteCalls.page> = {
  code: 'org.invites',
  title: 'org.tab.invites',
  call: deptInviteCalls.page,
  export: deptInviteCalls.export,
  search: { field: 'text', hint: 'org.invite.email' },
  columns: [
    { key: 'name', title: 'org.name', pinned: 'left', width: 200 },
    { key: 'email', title: 'org.invite.email', width: 220 },
    { key: 'state', title: 'org.state', kind: 'state', machine: deptInviteMachine, width: 120 },
    { key: 'parentName', title: 'org.parent', width: 180 },
    { key: 'invitedBy', title: 'org.invite.by', width: 150 },
    { key: 'expiresAt', title: 'org.invite.until', kind: 'moment', sort: true, width: 170 },
    { key: 'createdAt', title: 'org.createdAt', kind: 'moment', sort: true, width: 170 },
  ],
  filters: [{ field: 'state', label: 'org.state', machine: deptInviteMachine }],
  rowActions: [
    rowAction(deptInviteCalls.withdraw, { successText: 'done.withdrawn', label: 'event.deptInvite.withdraw', allowedAction: 'withdraw' }),
  ],
  actions: [{ key: 'add', label: 'org.invite.add', icon: 'add', primary: true, call: deptInviteCalls.add, Dialog: InviteDept }],
  nameOf: (row) => row.name,
  empty: { title: 'org.invite.empty', text: 'org.invite.emptyText' },
};

/** Whether strangers find a unit when they register, and the code that finds it. */
export function JoinSettings({ id }: { id: number }) {
  const t = useT();
  const { data } = useCall(deptInviteCalls.door, { id });
  const set = useAct(deptInviteCalls.setDoor, { successText: 'org.door.saved' });
  if (!data) return null;
  return (
    <section className="m-panel m-panel-body m-stack" aria-label={t('org.door')}>
      <h2>{t('org.door')}</h2>
      <p className="m-muted">{t('org.door.text')}</p>
      <div className="m-row m-row-wrap">
        <Switch
          value={data.joinable}
          disabled={set.busy || !mayCall(deptInviteCalls.setDoor)}
          label={t('org.door')}
          onChange={(joinable) => set.run({ id, joinable })}
        />
        <span>{t(data.joinable ? 'org.door.on' : 'org.door.off')}</span>
        {data.joinable ? (
          <span className="m-row">
            {t('org.door.code')} <CopyText text={data.joinCode} />
          </span>
        ) : null}
      </div>
    </section>
  );
}
