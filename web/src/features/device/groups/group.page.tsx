import { deviceCalls } from '@mooring/contract/device/calls';
import { type DeviceGroup, deviceGroupCalls } from '@mooring/contract/device/group-calls';
import { firmwareKind } from '@mooring/contract/firmware/kind';
import { taskCalls } from '@mooring/contract/firmware/task-calls';
import type { RowOf } from '@mooring/contract/kit/entity';
import { useState } from 'react';
import { allows } from '../../../kit/allows.ts';
import { detailPage } from '../../../kit/detail/detail-page.tsx';
import type { Criteria } from '../../../kit/list/list-url.ts';
import { ListView } from '../../../kit/list/list-view.tsx';
import { bulkAct, type ListSpec, rowAction } from '../../../kit/list/types.ts';
import { useCall } from '../../../kit/queries.ts';
import { mayCall } from '../../../kit/session.ts';
import { Button } from '../../../ui/button.tsx';
import { useFormat, useT } from '../../../ui/words.ts';
import { deviceBulk } from '../device-acts.ts';
import { deviceTable } from '../device-table.ts';
import { AddSns } from './add-sns.tsx';
import { Edit, edit } from './group-form.tsx';
import { RuleWords } from './rule.tsx';

type Group = RowOf<typeof DeviceGroup>;
type Spec = typeof deviceTable;

/** The list of terminals as it is everywhere, of this group alone. */
const devicesOf = ({ id, kind }: Group): Spec => ({
  ...deviceTable,
  code: 'device.ofGroup',
  title: 'deviceGroup.terminals',
  filters: (deviceTable.filters ?? []).filter(({ field }) => field !== 'groupId'),
  actions: [],
  bulk: [
    ...(kind === 'static'
      ? [
          bulkAct(deviceGroupCalls.removeMembers, {
            successText: 'device.done.ungroupedMany',
            label: 'device.bulk.removeFromGroup',
            icon: 'close',
            extra: { groupId: id },
          }),
        ]
      : []),
    ...deviceBulk.filter(({ key }) => key !== 'removeMembers'),
  ],
  empty: { title: 'deviceGroup.none', text: kind === 'static' ? 'deviceGroup.noneText' : 'deviceGroup.noneMeets', icon: 'device' },
});

function Terminals({ row }: { row: Group }) {
  const { id, kind } = row;
  const [spec] = useState<ListSpec<Spec['call']>>(() => devicesOf({ id, kind } as Group));
  return <ListView spec={spec} fixed={{ groupId: id }} />;
}

/** How many meet the rule now: who meets it isn't written down anywhere. */
function Meeting({ id }: { id: number }) {
  const format = useFormat();
  const { data } = useCall(deviceCalls.page, { criteria: { groupId: id }, page: { size: 1 } });
  return <>{data ? format.total(data.total, data.capped) : '–'}</>;
}

function Acts({ row }: { row: Group }) {
  const t = useT();
  const [open, setOpen] = useState(false);
  if (row.kind === 'rule' || !allows(row, 'addSns')) return null;
  return (
    <>
      <Button icon="add" look="primary" onClick={() => setOpen(true)}>
        {t('deviceGroup.sns.add')}
      </Button>
      {open ? <AddSns groupId={row.id} onClose={() => setOpen(false)} /> : null}
    </>
  );
}
const Above = () => <Edit />;

/** A group and its terminals. */
export const groupPage = detailPage({
  call: deviceGroupCalls.detail,
  nameOf: (row) => row.name,
  facts: [
    { key: 'kind', title: 'deviceGroup.kind', kind: 'name', names: 'deviceGroup.kind.' },
    { key: 'members', title: 'deviceGroup.members', kind: 'number', when: (row) => row.kind === 'static' },
    { key: '_meeting', title: 'deviceGroup.members', cell: (row) => <Meeting id={row.id} />, when: (row) => row.kind === 'rule' },
    {
      key: 'rule',
      title: 'deviceGroup.rule',
      cell: (row) => <RuleWords rule={(row.rule ?? {}) as Criteria} />,
      when: (row) => row.kind === 'rule',
    },
    { key: 'deptName', title: 'deviceGroup.deptId' },
    { key: 'usedBy', title: 'deviceGroup.usedBy', when: (row) => row.usedBy !== null },
    { key: 'remark', title: 'deviceGroup.remark', when: (row) => row.remark !== '' },
    { key: 'createdAt', title: 'device.createdAt', kind: 'moment' },
  ],
  actions: [
    {
      key: 'release',
      label: 'deviceGroup.release',
      icon: 'send',
      when: () => mayCall(taskCalls.add),
      to: (row) => `${firmwareKind.screens.task}/new?group=${row.id}`,
    },
    { key: 'edit', label: 'deviceGroup.edit', icon: 'edit', allowedAction: 'update', run: edit },
    rowAction(deviceGroupCalls.delete, {
      successText: 'done.deleted',
      label: 'deviceGroup.delete',
      allowedAction: 'delete',
      danger: true,
      confirm: { text: 'deviceGroup.delete.about' },
    }),
  ],
  slots: { acts: Acts, above: Above },
  tabs: [{ key: 'terminals', title: 'deviceGroup.terminals', Body: Terminals }],
});
