import { softAppKind } from '@mooring/contract/app/app-kind';
import { appVersionCalls } from '@mooring/contract/app/calls';
import { softAppTaskCalls } from '@mooring/contract/app/release-calls';
import { appPublishMachine } from '@mooring/contract/app/state-machines';
import { newTaskScreen } from '@mooring/contract/engines/rollout/task-kind';
import { fileCalls } from '@mooring/contract/file/calls';
import { deptCalls } from '@mooring/contract/org/calls';
import { signingJobCalls } from '@mooring/contract/signing/job';
import { fetchFile } from '../../kit/fetch-file.ts';
import { ActBar, useRowActs } from '../../kit/list/row-acts.tsx';
import { ofRow, type RowAction, rowAction } from '../../kit/list/types.ts';
import { useCall } from '../../kit/queries.ts';
import { mayCall, useSession } from '../../kit/session.ts';
import { givenFiles } from '../../kit/upload/given-files.tsx';
import { takeAlong } from '../../kit/upload/handed.ts';
import { t } from '../../ui/words.ts';
import { editPath } from './paths.ts';
import { Trial } from './trial.tsx';
import { nameOf } from './version-name.ts';
import type { Version } from './versions.tsx';

/** For which organisation the reviewer acts. */
function useActing() {
  const { platform, deptId, user } = useSession();
  const managed = useCall(deptCalls.managed, {}, { enabled: platform === 'manager' });
  const chosen = platform === 'manager' ? managed.data?.find(({ id }) => id === deptId) : undefined;
  return { id: chosen?.id ?? user?.relateDept.deptId, name: chosen?.name ?? user?.relateDept.deptName ?? '' };
}

/** What was seen is what is decided. */
const seen = ({ contentHash }: Version) => ({ contentHash });
const approving = ({ id, name: org }: ReturnType<typeof useActing>) =>
  rowAction(appVersionCalls.approve, {
    label: 'appVersion.approve.submit',
    allowedAction: 'approve',
    successText: 'appVersion.approved',
    input: (row: Version) => ({ ...seen(row), ...(id === undefined ? {} : { marketId: id }) }),
    form: {
      fields: [
        { name: 'publish', label: 'appVersion.approve.publish', wide: true },
        { name: 'comment', label: 'appVersion.approve.comment', kind: 'area' },
        givenFiles,
      ],
      title: 'appVersion.approveTitle',
      about: () => t('appVersion.approve.about', { org }),
    },
  });

/** What comes next stands first. */
const acts = ofRow<Version>([
  rowAction(appVersionCalls.reject, {
    label: 'appVersion.reject',
    successText: 'appVersion.rejected',
    input: seen,
    form: { fields: ['comment', givenFiles], title: 'appVersion.rejectTitle' },
  }),
  { key: 'trial', label: 'appRelease.action.trial', allowedAction: 'approve', Dialog: Trial },
  rowAction(appVersionCalls.submit, {
    label: 'appVersion.submit',
    successText: 'appVersion.submitted',
    form: { fields: [{ name: 'comment', kind: 'area' }, givenFiles], title: 'appVersion.submitTitle' },
  }),
  { key: 'update', label: 'appVersion.edit', to: editPath },
  rowAction(appVersionCalls.publish, {
    label: 'appVersion.publish',
    successText: 'appVersion.published',
    allowedAction: 'publish',
    when: ({ publishState }: Version) => publishState === appPublishMachine.states.unpublished.code,
  }),
  rowAction(appVersionCalls.publish, {
    key: 'publishAgain',
    label: 'appVersion.publishAgain',
    successText: 'place.started',
    allowedAction: 'publish',
    when: ({ publishState }: Version) => publishState === appPublishMachine.states.partly.code,
  }),
  rowAction(appVersionCalls.relist, {
    label: 'appVersion.relist',
    successText: 'appVersion.relisted',
    form: { fields: [{ name: 'comment', kind: 'area' }, givenFiles], title: 'appVersion.relistTitle' },
  }),
  rowAction(appVersionCalls.withdraw, { label: 'appVersion.withdraw', successText: 'appVersion.withdrawn' }),
  rowAction(appVersionCalls.unpublish, {
    label: 'appVersion.unpublish',
    danger: true,
    successText: 'appVersion.unpublished',
    confirm: { text: 'appVersion.unpublish.about', keep: 'appVersion.unpublish.keep' },
  }),
  rowAction(appVersionCalls.delist, {
    label: 'appVersion.delist',
    danger: true,
    successText: 'appVersion.delisted',
    form: { fields: ['comment', givenFiles], title: 'appVersion.delistTitle' },
  }),
]);
const release: RowAction<Version> = {
  key: 'release',
  label: 'appVersion.release',
  when: ({ releasable }) => releasable,
  call: softAppTaskCalls.add,
  to: ({ id }) => `${newTaskScreen(softAppKind)}?appVersion=${id}`,
};
/** To look at it with other tools, or to bring it to be signed. */
const download: RowAction<Version> = {
  key: 'download',
  label: 'appVersion.download',
  icon: 'download',
  when: ({ own }) => own && mayCall(appVersionCalls.compare),
  run: (row) => fetchFile(row.fileId, row.fileName),
};
/** Taken along to where it is signed. */
const sign: RowAction<Version> = {
  key: 'sign',
  label: 'signingJob.add',
  icon: 'signature',
  when: ({ own }) => own && mayCall(signingJobCalls.add) && mayCall(appVersionCalls.compare),
  run: ({ fileId: id }) => takeAlong(fileCalls.reuse, { id }, '/apkTool?do=add'),
};
const OPEN = 3;

/** What may be done with a version now: the next step as a button that stands out, others beside it, the rest in a menu. */
export function VersionActs({ row }: { row: Version }) {
  const { start, dialog } = useRowActs<Version>(nameOf);
  const actions = [release, approving(useActing()), ...acts, download, sign];
  return (
    <>
      <ActBar leads={OPEN} actions={actions} row={row} name={`${row.appName} ${nameOf(row)}`} start={start} />
      {dialog}
    </>
  );
}
