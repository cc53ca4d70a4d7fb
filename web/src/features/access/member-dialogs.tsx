import { inviteCalls, memberCalls } from '@mooring/contract/account/member-calls';
import type { OutputOf } from '@mooring/contract/kit/call';
import { useRef, useState } from 'react';
import { TokenChoice } from '../../kit/access/token-choice.tsx';
import { useDepts } from '../../kit/choices.ts';
import { FormDialog } from '../../kit/form/form-dialog.tsx';
import type { RowOf } from '../../kit/list/types.ts';
import { NoMail, useSends } from '../../kit/no-mail.tsx';
import { useAct, useCall } from '../../kit/queries.ts';
import { Button } from '../../ui/button.tsx';
import { Checkbox } from '../../ui/controls.tsx';
import { CopyText } from '../../ui/copy-text.tsx';
import { Confirm, Dialog } from '../../ui/dialog.tsx';
import { createStore, useStore } from '../../ui/store.ts';
import { toast } from '../../ui/toast.tsx';
import { useT } from '../../ui/words.ts';
import { RolesField } from './roles-field.tsx';

export type Member = RowOf<typeof memberCalls.page>;
type Password = OutputOf<typeof memberCalls.add>;
interface Part {
  readonly onClose: () => void;
}

const placing = [
  { name: 'deptId', label: 'member.dept', kind: 'one', useChoices: useDepts },
  { name: 'userType', label: 'member.userType', names: 'member.userType.' },
  { name: 'roleIds', label: 'member.roles', Control: RolesField, wide: true },
] as const;
const managed = {
  name: 'managedDeptIds',
  label: 'member.managed',
  help: 'member.managed.help',
  kind: 'multi',
  useChoices: useDepts,
} as const;

/** Shown once: closing it is the end of it. */
function ShowPassword({ name, password, onClose }: Part & { name: string; password: string }) {
  const t = useT();
  return (
    <Dialog
      open
      firm
      title={t('member.password.title', { name })}
      onClose={onClose}
      footer={
        <Button look="primary" onClick={onClose}>
          {t('kit.done')}
        </Button>
      }
    >
      <div className="m-stack">
        <p>{t('member.password.about')}</p>
        <p className="m-mono">
          <CopyText text={password} />
        </p>
      </div>
    </Dialog>
  );
}

export function AddMember({ onClose }: Part) {
  const t = useT();
  const [made, setMade] = useState<{ name: string; password: string }>();
  const done = useRef(false);
  const sends = useSends();
  if (made) return <ShowPassword {...made} onClose={onClose} />;
  return (
    <FormDialog
      title="member.add"
      call={memberCalls.add}
      successText="done.added"
      submit="member.add.submit"
      initial={{ userType: '2', mail: false, managedDeptIds: [] }}
      fields={[
        { name: 'account', label: 'member.account', help: 'member.account.help' },
        { name: 'userName', label: 'member.userName' },
        { name: 'email', label: 'member.email', kind: 'text' },
        ...placing,
        managed,
        { name: 'mail', label: 'member.mail', help: 'member.mail.help', kind: 'switch', when: () => sends },
      ]}
      onDone={({ password }, { userName, account }) => {
        done.current = password !== null;
        if (password === null) toast('done', t('member.password.mailed', { name: String(userName) }));
        else setMade({ name: `${String(userName)} (${String(account)})`, password });
      }}
      onClose={() => {
        if (!done.current) onClose();
      }}
    />
  );
}

export const InviteMember = ({ onClose }: Part) => {
  const sends = useSends();
  return (
    <FormDialog
      title="member.invite.title"
      call={inviteCalls.add}
      submit="member.invite.send"
      successText="member.invite.sent"
      about={<NoMail instead="member.invite.unset" />}
      blocked={!sends}
      initial={{ userType: '2', days: 7 }}
      fields={[
        { name: 'email', label: 'member.email', kind: 'text', wide: true },
        ...placing,
        { name: 'days', label: 'member.invite.days', kind: 'number', unit: 'kit.unit.days' },
      ]}
      onClose={onClose}
    />
  );
};

function EditMember({ row, onClose }: Part & { row: Member }) {
  const whole = useCall(memberCalls.detail, { id: row.id });
  // What was kept of an earlier visit waits for its fresh answer, or an old value would be saved again.
  const [first, setFirst] = useState<OutputOf<typeof memberCalls.detail>>();
  if (!first && whole.data && !whole.fetching) setFirst(whole.data);
  if (!first) return null;
  const { id, revision, userName, email, deptId, userType, roles, managed: units } = first;
  return (
    <FormDialog
      title="member.edit"
      of={`${userName} (${row.account})`}
      call={memberCalls.update}
      successText="done.saved"
      submit="kit.save"
      initial={{
        id,
        revision,
        userName,
        email,
        deptId,
        userType,
        roleIds: roles.map((one) => one.id),
        managedDeptIds: units.map((one) => one.id),
      }}
      fields={[{ name: 'userName', label: 'member.userName' }, { name: 'email', label: 'member.email', kind: 'text' }, ...placing, managed]}
      onClose={onClose}
    />
  );
}

function ResetPassword({ row, onClose }: Part & { row: Member }) {
  const t = useT();
  const [byMail, setByMail] = useState(false);
  const sends = useSends();
  const tokens = useCall(memberCalls.tokens, { id: row.id });
  const [revoke, setRevoke] = useState(false);
  const mobile = useCall(memberCalls.detail, { id: row.id }).data?.mobile ?? null;
  const [noMobile, setNoMobile] = useState(true);
  const [noPasskeys, setNoPasskeys] = useState(true);
  const [made, setMade] = useState<Password>();
  const act = useAct(memberCalls.resetPassword, {
    done: (output) => {
      if (output.password !== null) return setMade(output);
      toast('done', t('member.password.mailed', { name: row.userName }));
      onClose();
    },
  });
  if (made?.password) return <ShowPassword name={`${row.userName} (${row.account})`} password={made.password} onClose={onClose} />;
  return (
    <Confirm
      open
      danger
      title={t('member.resetPassword')}
      confirm={t('member.resetPassword')}
      busy={act.busy}
      onClose={onClose}
      onConfirm={() =>
        act.run({
          id: row.id,
          mail: byMail,
          tokens: revoke ? 'revoke' : 'keep',
          mobile: noMobile ? 'remove' : 'keep',
          passkeys: noPasskeys ? 'remove' : 'keep',
        })
      }
    >
      <div className="m-stack">
        <p>
          {row.userName} ({row.account})
        </p>
        <p>{t('member.resetPassword.about')}</p>
        {mobile === null ? null : (
          <Checkbox value={noMobile} onChange={setNoMobile}>
            {t('member.resetPassword.mobile', { mobile })}
          </Checkbox>
        )}
        {row.mfaBound ? (
          <Checkbox value={noPasskeys} onChange={setNoPasskeys}>
            {t('member.resetPassword.passkeys')}
          </Checkbox>
        ) : null}
        {row.email && sends ? (
          <Checkbox value={byMail} onChange={setByMail}>
            {t('member.mail')}
          </Checkbox>
        ) : null}
        <TokenChoice tokens={tokens.data ?? []} revoke={revoke} onRevoke={setRevoke} />
      </div>
    </Confirm>
  );
}

function DisableMember({ row, onClose }: Part & { row: Member }) {
  const t = useT();
  const tokens = useCall(memberCalls.tokens, { id: row.id });
  const [revoke, setRevoke] = useState(false);
  const act = useAct(memberCalls.disable, {
    done: () => {
      toast('done', t('done.disabled', { name: row.account }));
      onClose();
    },
  });
  return (
    <Confirm
      open
      danger
      title={t('kit.act.sure', { act: t('event.user.disable'), name: `${row.userName} (${row.account})` })}
      confirm={t('event.user.disable')}
      busy={act.busy}
      onClose={onClose}
      onConfirm={() => act.run({ id: row.id, tokens: revoke ? 'revoke' : 'keep' })}
    >
      <div className="m-stack">
        <p>{t('member.disable.about', { name: row.account })}</p>
        <TokenChoice disabling tokens={tokens.data ?? []} revoke={revoke} onRevoke={setRevoke} />
      </div>
    </Confirm>
  );
}

const ApproveMember = ({ row, onClose }: Part & { row: Member }) => (
  <FormDialog
    title="member.approve"
    call={memberCalls.approve}
    successText="done.approved"
    submit="member.approve"
    initial={{ id: row.id, userType: '2', deptId: row.deptId } as never}
    fields={[placing[1], placing[2]]}
    onClose={onClose}
  />
);
const RefuseMember = ({ row, onClose }: Part & { row: Member }) => {
  const t = useT();
  return (
    <FormDialog
      title="member.refuse"
      call={memberCalls.refuse}
      successText="done.rejected"
      submit="member.refuse"
      about={<p className="m-muted">{t('member.refuse.about')}</p>}
      initial={{ id: row.id }}
      fields={[{ name: 'reason', label: 'member.refuse.reason', kind: 'area' }]}
      onClose={onClose}
    />
  );
};

const dialogs = { edit: EditMember, reset: ResetPassword, disable: DisableMember, approve: ApproveMember, refuse: RefuseMember } as const;
const asked = createStore<{ readonly what: keyof typeof dialogs; readonly row: Member } | undefined>(undefined);
/** An act of a row that opens a dialog. */
export const ask = (what: keyof typeof dialogs) => (row: Member) => asked.set({ what, row });

/** Where the dialogs of the rows are drawn. */
export function MemberDialogs() {
  const now = useStore(asked);
  if (!now) return null;
  const Body = dialogs[now.what];
  return <Body row={now.row} onClose={() => asked.set(undefined)} />;
}
