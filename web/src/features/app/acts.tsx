import { softAppKind } from '@mooring/contract/app/app-kind';
import { appVersionCalls } from '@mooring/contract/app/calls';
import { softAppTaskCalls } from '@mooring/contract/app/release-calls';
import { newTaskScreen } from '@mooring/contract/engines/rollout/task-kind';
import type { Call } from '@mooring/contract/kit/call';
import { deptCalls } from '@mooring/contract/org/calls';
import { useState } from 'react';
import { allows } from '../../kit/allows.ts';
import { FormDialog } from '../../kit/form/form-dialog.tsx';
import type { FieldSpec } from '../../kit/form/types.ts';
import { useRowActs } from '../../kit/list/row-acts.tsx';
import { rowAction } from '../../kit/list/types.ts';
import { useCall } from '../../kit/queries.ts';
import { mayCall, useSession } from '../../kit/session.ts';
import { go } from '../../kit/view.ts';
import { Button } from '../../ui/button.tsx';
import { MenuButton } from '../../ui/menu-button.tsx';
import { toast } from '../../ui/toast.tsx';
import { type TextKey, useT } from '../../ui/words.ts';
import { editPath } from './paths.ts';
import { Trial } from './trial.tsx';
import { nameOf } from './version-name.ts';
import type { Version } from './versions.tsx';

const titleOf = (row: Version) => `${row.appName} ${nameOf(row)}`;

interface Dialogued {
  readonly call: Call;
  readonly title: TextKey;
  readonly submit: TextKey;
  readonly done: TextKey;
  readonly fields: readonly FieldSpec[];
  /** What was seen is what is decided. */
  readonly bound?: true;
  readonly about?: TextKey;
}
const words = (label: TextKey): FieldSpec => ({ name: 'comment', label, kind: 'area', wide: true });
const dialogs = {
  approve: {
    call: appVersionCalls.approve,
    title: 'appVersion.approveTitle',
    submit: 'appVersion.approve.submit',
    done: 'appVersion.approved',
    fields: [{ name: 'publish', label: 'appVersion.approve.publish', kind: 'switch', wide: true }, words('appVersion.approve.comment')],
    bound: true,
    about: 'appVersion.approve.about',
  },
  reject: {
    call: appVersionCalls.reject,
    title: 'appVersion.rejectTitle',
    submit: 'appVersion.reject',
    done: 'appVersion.rejected',
    fields: [words('appVersion.reject.comment')],
    bound: true,
  },
  delist: {
    call: appVersionCalls.delist,
    title: 'appVersion.delistTitle',
    submit: 'appVersion.delist',
    done: 'appVersion.delisted',
    fields: [words('appVersion.delist.comment')],
    about: 'appVersion.delist.about',
  },
  relist: {
    call: appVersionCalls.relist,
    title: 'appVersion.relistTitle',
    submit: 'appVersion.relist',
    done: 'appVersion.relisted',
    fields: [words('appVersion.relist.comment')],
    about: 'appVersion.relist.about',
  },
} as const satisfies Readonly<Record<string, Dialogued>>;
type Asking = keyof typeof dialogs;

/** For which organisation the reviewer acts. */
function useActing() {
  const { platform, deptId, user } = useSession();
  const managed = useCall(deptCalls.managed, {}, { enabled: platform === 'manager' });
  const chosen = platform === 'manager' ? managed.data?.find(({ id }) => id === deptId) : undefined;
  return { id: chosen?.id ?? user?.relateDept.deptId, name: chosen?.name ?? user?.relateDept.deptName ?? '' };
}

function Deciding({ act, row, onClose }: { act: Asking; row: Version; onClose: () => void }) {
  const t = useT();
  const acting = useActing();
  const { call, title, submit, done, fields, bound, about }: Dialogued = dialogs[act];
  return (
    <FormDialog
      title={title}
      of={titleOf(row)}
      submit={submit}
      call={call}
      fields={fields as never}
      initial={
        { id: row.id, ...(bound ? { contentHash: row.contentHash } : {}), ...(act === 'approve' ? { marketId: acting.id } : {}) } as never
      }
      about={about === undefined ? null : <p className="m-muted">{t(about, { org: acting.name })}</p>}
      onClose={onClose}
      onDone={() => toast('done', t(done, { name: nameOf(row) }))}
    />
  );
}

const plain = {
  submit: rowAction<Version, typeof appVersionCalls.submit>(appVersionCalls.submit, {
    label: 'appVersion.submit',
    successText: 'appVersion.submitted',
  }),
  withdraw: rowAction<Version, typeof appVersionCalls.withdraw>(appVersionCalls.withdraw, {
    label: 'appVersion.withdraw',
    successText: 'appVersion.withdrawn',
  }),
  publish: rowAction<Version, typeof appVersionCalls.publish>(appVersionCalls.publish, {
    label: 'appVersion.publish',
    successText: 'appVersion.published',
  }),
  unpublish: rowAction<Version, typeof appVersionCalls.unpublish>(appVersionCalls.unpublish, {
    label: 'appVersion.unpublish',
    successText: 'appVersion.unpublished',
    confirm: { text: 'appVersion.unpublish.about', keep: 'appVersion.unpublish.keep' },
  }),
};

/** What comes next stands first. */
const ORDER = ['approve', 'reject', 'submit', 'update', 'publish', 'relist', 'withdraw', 'unpublish', 'delist'] as const;
type Act = (typeof ORDER)[number];
const OPEN = 2;
const dangers: readonly string[] = ['unpublish', 'delist'];
const labels: Readonly<Partial<Record<Act, TextKey>>> = { update: 'appVersion.edit', approve: 'appVersion.approve.submit' };

/** What may be done with a version now: the next step as a button that stands out, another one beside it, the rest in a menu. */
export function VersionActs({ row }: { row: Version }) {
  const t = useT();
  const acts = useRowActs<Version>(nameOf);
  const [doing, setDoing] = useState<Asking>();
  const [trying, setTrying] = useState(false);
  const start = (act: Act) => {
    if (act === 'update') go(editPath(row));
    else if (act in plain) acts.start(plain[act as keyof typeof plain], row);
    else setDoing(act as Asking);
  };
  const label = (act: Act) => t(labels[act] ?? (`appVersion.${act}` as TextKey));
  const mayRelease = row.releasable && mayCall(softAppTaskCalls.add);
  const mayTry = allows(row, 'approve');
  const shown = ORDER.filter((act) => allows(row, act));
  const open = shown.filter((act) => !dangers.includes(act)).slice(0, OPEN);
  const rest = shown.filter((act) => !open.includes(act));
  return (
    <>
      {mayRelease ? (
        <Button look="primary" onClick={() => go(`${newTaskScreen(softAppKind)}?appVersion=${row.id}`)}>
          {t('appVersion.release')}
        </Button>
      ) : null}
      {open.map((act, at) => (
        <Button key={act} look={at === 0 && !mayRelease ? 'primary' : 'default'} onClick={() => start(act)}>
          {label(act)}
        </Button>
      ))}
      {mayTry ? <Button onClick={() => setTrying(true)}>{t('appRelease.action.trial')}</Button> : null}
      {rest.length > 0 ? (
        <MenuButton
          align="end"
          items={rest.map((act) => ({ key: act, label: label(act), danger: dangers.includes(act), onClick: () => start(act) }))}
        >
          <Button icon="more" of={titleOf(row)}>
            {t('kit.more')}
          </Button>
        </MenuButton>
      ) : null}
      {doing ? <Deciding act={doing} row={row} onClose={() => setDoing(undefined)} /> : null}
      {trying ? <Trial row={row} onClose={() => setTrying(false)} /> : null}
      {acts.dialog}
    </>
  );
}
