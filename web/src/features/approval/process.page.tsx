import { approvalCalls } from '@mooring/contract/approval/calls';
import { approvalMachine } from '@mooring/contract/engines/approval/state-machines';
import type { Call, InputOf, OutputOf } from '@mooring/contract/kit/call';
import type { ReactNode } from 'react';
import { CallFailed } from '../../kit/dead-end.tsx';
import { detailPage } from '../../kit/detail/detail-page.tsx';
import { useCall } from '../../kit/queries.ts';
import type { Page } from '../../kit/route.ts';
import { idIn, useView } from '../../kit/view.ts';
import { Note, PageSkeleton } from '../../ui/states.tsx';
import { useT } from '../../ui/words.ts';
import { AuditContent } from './audit-content.tsx';
import { AuditDevices } from './audit-devices.tsx';
import { AuditHistory } from './audit-history.tsx';
import { Decide } from './decide.tsx';
import { OfRelease } from './of-release.tsx';
import { ProcessLine } from './process-line.tsx';

type Row = OutputOf<typeof approvalCalls.baseInfo>;

/** A part that is asked for by itself, with its own waiting and failing. */
function Asked<C extends Call>({ call, input, children }: { call: C; input: InputOf<C>; children: (data: OutputOf<C>) => ReactNode }) {
  const { data, error, retry } = useCall(call, input);
  if (data === undefined) return error ? <CallFailed error={error} onRetry={retry} /> : <PageSkeleton />;
  return children(data);
}

function StandsIn({ row }: { row: Row }) {
  const t = useT();
  return row.standsInFor.length > 0 ? <Note>{t('approval.standsInFor', { absent: row.standsInFor.join(', ') })}</Note> : null;
}
const Line = ({ row }: { row: Row }) => (
  <>
    <StandsIn row={row} />
    <Asked call={approvalCalls.result} input={{ taskAuditId: row.id }}>
      {(records) => <ProcessLine audit={row} records={records} />}
    </Asked>
  </>
);
const Content = ({ row }: { row: Row }) => (
  <Asked call={approvalCalls.detailInfo} input={{ taskAuditId: row.id }}>
    {(detail) => <AuditContent detail={detail} />}
  </Asked>
);
const Devices = ({ row }: { row: Row }) => (
  <Asked call={approvalCalls.deviceList} input={{ taskAuditId: row.id }}>
    {(devices) => <AuditDevices devices={devices} />}
  </Asked>
);
const History = ({ row }: { row: Row }) => (
  <Asked call={approvalCalls.result} input={{ taskAuditId: row.id }}>
    {(records) => <AuditHistory records={records} />}
  </Asked>
);

/** One approval: how far it is, what it is about, and what the person may do. */
const shownPage = detailPage({
  call: approvalCalls.baseInfo,
  input: (view) => ({ taskAuditId: idIn(view, 'taskAuditId') }),
  nameOf: (row) => row.name,
  state: { machine: approvalMachine, of: (row) => row.step },
  facts: [
    { key: 'taskType', title: 'approval.type', kind: 'name', names: 'approval.taskType.' },
    { key: 'taskClass', title: 'approval.class', kind: 'name', names: 'approval.taskClass.' },
    { key: 'author', title: 'approval.author' },
    { key: 'deptName', title: 'approval.dept' },
    { key: 'createdAt', title: 'approval.createdAt', kind: 'moment' },
    { key: 'stepAt', title: 'approval.stepAt', kind: 'moment' },
    { key: 'dueAt', title: 'approval.dueAt', kind: 'moment' },
  ],
  slots: { acts: Decide, above: Line },
  tabs: [
    { key: 'content', title: 'approval.content', Body: Content },
    { key: 'devices', title: 'approval.devices', Body: Devices },
    { key: 'history', title: 'approval.history', Body: History },
  ],
});

/** An address that names the release alone leads on to its approval. */
const Process = () => (idIn(useView(), 'taskAuditId') > 0 ? <shownPage.View /> : <OfRelease />);
export const processPage: Page = { View: Process };
