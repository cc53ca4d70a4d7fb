import { alarmCalls } from '@mooring/contract/alert/alarm';
import { deviceCalls } from '@mooring/contract/device/calls';
import { deviceGroupCalls } from '@mooring/contract/device/group-calls';
import { deviceLogCalls } from '@mooring/contract/device/log/log-calls';
import type { DeviceDetail } from '@mooring/contract/device/schemas';
import { deviceMachine } from '@mooring/contract/device/state-machines';
import { geofenceCalls } from '@mooring/contract/geofence/geofence';
import { hardwareTestCalls } from '@mooring/contract/hardware-test/calls';
import { merchantCalls } from '@mooring/contract/merchant/calls';
import { orderCalls } from '@mooring/contract/order/calls';
import { paramResultCalls } from '@mooring/contract/paramfile/level-calls';
import { useState } from 'react';
import { DeviceDrifts } from '../../engines/rollout/device-drifts.tsx';
import { DeviceReleases } from '../../engines/rollout/device-releases.tsx';
import { FailedRelease } from '../../engines/rollout/failed-release.tsx';
import { allows } from '../../kit/allows.ts';
import { detailPage } from '../../kit/detail/detail-page.tsx';
import { Link } from '../../kit/link.tsx';
import { type RowAction, rowAction } from '../../kit/list/types.ts';
import type { Page } from '../../kit/route.ts';
import { mayCall, session } from '../../kit/session.ts';
import { chooseSearch, go, searchNow, useView } from '../../kit/view.ts';
import { Button } from '../../ui/button.tsx';
import type { IconName } from '../../ui/icon.tsx';
import { useT } from '../../ui/words.ts';
import { CloneDevice } from './clone-device.tsx';
import { deviceActs } from './device-acts.ts';
import { DeviceAndroid } from './device-android.tsx';
import { DeviceApps } from './device-apps.tsx';
import { DeviceCommands } from './device-commands.tsx';
import { DeviceConfig } from './device-config.tsx';
import { DeviceCustody, Warranty } from './device-custody.tsx';
import { DeviceDoubles } from './device-doubles.tsx';
import { DeviceHealth } from './device-health.tsx';
import { DeviceIdentity } from './device-identity.tsx';
import { DeviceTimeline } from './device-timeline.tsx';
import { DeviceVersions } from './device-versions.tsx';
import { EditDevice } from './edit-device.tsx';
import { GroupLinks } from './groups/group-links.tsx';
import { PutInGroup } from './groups/put-in-group.tsx';
import { DeviceLog } from './log/device-log.tsx';
import { MoveDevice } from './move-device.tsx';
import type { Parts } from './pages.ts';
import { DevicePosition } from './position/device-position.tsx';
import { SendCommand } from './send-command.tsx';
import { SwapDevice } from './swap-device.tsx';
import { DeviceThing } from './thing/device-thing.tsx';

/** In the address: the dialog that adds another one like it is open, or one of an act of the menu. */
const CLONE = 'clone';
const ACT = 'act';
const dialogs = { group: PutInGroup, swap: SwapDevice, move: MoveDevice } as const;
type Rare = keyof typeof dialogs;
const isRare = (name: string | null): name is Rare => name !== null && Object.hasOwn(dialogs, name);
const isAllowed = (name: Rare, row: DeviceDetail): boolean =>
  name === 'group' ? mayCall(deviceGroupCalls.addMembers) && row.deletedAt === null : allows(row, name);

/** The acts that ask for more than a yes: the frequent ones stand open. */
function Acts({ row }: { row: DeviceDetail }) {
  const t = useT();
  const [open, setOpen] = useState<'edit' | 'command'>();
  const close = () => setOpen(undefined);
  const view = useView();
  const endDialog = () => {
    const left = searchNow(view);
    for (const name of [CLONE, ACT]) left.delete(name);
    chooseSearch(view, left);
  };
  const asked = view.search.get(ACT);
  const Dialog = isRare(asked) && isAllowed(asked, row) ? dialogs[asked] : undefined;
  return (
    <div className="m-row m-row-wrap">
      {allows(row, 'command') ? (
        <Button icon="right" look="primary" onClick={() => setOpen('command')}>
          {t('device.command.send')}
        </Button>
      ) : null}
      {allows(row, 'update') ? (
        <Button icon="edit" onClick={() => setOpen('edit')}>
          {t('device.edit')}
        </Button>
      ) : null}
      {view.search.has(CLONE) && mayCall(deviceCalls.save) && row.deletedAt === null ? <CloneDevice row={row} onClose={endDialog} /> : null}
      {Dialog ? <Dialog row={row} onClose={endDialog} /> : null}
      {open === 'edit' ? <EditDevice row={row} onClose={close} /> : null}
      {open === 'command' ? <SendCommand row={row} onClose={close} /> : null}
    </div>
  );
}

const rareAct = (name: Rare, label: 'deviceGroup.put' | 'device.swap' | 'device.move', icon: IconName): RowAction<DeviceDetail> => ({
  key: name,
  label,
  icon,
  rare: true,
  when: (row) => isAllowed(name, row),
  // The open tab stays.
  run: ({ id }) => {
    const search = new URLSearchParams(location.search);
    search.set(ACT, name);
    go(`/device/deviceDetail/${id}?${search}`);
  },
});
const rareActs = [
  rareAct('group', 'deviceGroup.put', 'group'),
  rareAct('swap', 'device.swap', 'swap'),
  rareAct('move', 'device.move', 'dispatch'),
];

/** Its merchant and shop; the page behind it lets one change them. */
function WhereItStands({ row: { id, merchantName, shopName } }: { row: DeviceDetail }) {
  const t = useT();
  return <Link to={`/merchant/detail/${id}`}>{[merchantName ?? t('merchant.assign'), shopName].filter(Boolean).join(' · ')}</Link>;
}

/** What runs on it, and what is set on its Android system. */
const Versions = ({ row }: { row: DeviceDetail }) => (
  <div className="m-stack">
    <DeviceVersions row={row} />
    <DeviceApps row={row} />
    <DeviceAndroid row={row} />
  </div>
);

const addLike: RowAction<DeviceDetail> = {
  key: 'clone',
  label: 'device.clone',
  icon: 'copy',
  rare: true,
  call: deviceCalls.save,
  when: (row) => row.deletedAt === null,
  to: (row) => `/device/deviceDetail/${row.id}?${CLONE}=1`,
};

/** Orders are made on the customers' platform. */
const repairOrder: RowAction<DeviceDetail> = {
  key: 'order',
  label: 'order.add',
  icon: 'order',
  call: orderCalls.add,
  when: (row) => session.get().platform === 'manager' && row.deletedAt === null,
  to: (row) => `/orderCreate?deviceId=${row.id}`,
};

export const deviceDetail = ({ Alarms, Fences, Tests, FailingParts, Params, Orders }: Parts): Page =>
  detailPage({
    call: deviceCalls.detail,
    nameOf: (row) => row.sn,
    state: { machine: deviceMachine, of: (row) => row.status },
    note: (row) => (row.name === row.sn ? null : row.name),
    // Figures of heartbeats touch no list; an open page asks for them.
    every: (row) => (row.status === '3' ? 15 : 60),
    facts: [
      { key: 'productName', title: 'device.product' },
      { key: 'deptName', title: 'device.dept' },
      {
        key: '_merchant',
        title: 'device.merchant',
        when: () => mayCall(merchantCalls.ofDevice),
        cell: (row) => <WhereItStands row={row} />,
      },
      { key: 'firmware', title: 'device.firmware' },
      { key: 'lastSeenAt', title: 'device.lastSeenAt', kind: 'ago' },
      { key: 'connectedAt', title: 'device.connectedAt', kind: 'since', when: (row) => row.connectedAt !== null },
      { key: 'timeZone', title: 'device.timeZone' },
      { key: 'activatedAt', title: 'device.activatedAt', kind: 'moment' },
      { key: '_warranty', title: 'custody.warranty', cell: (row) => <Warranty row={row} /> },
      { key: 'tags', title: 'device.tags', kind: 'tags', when: (row) => row.tags.length > 0 },
      { key: 'testTerminal', title: 'device.testTerminal', kind: 'yes', when: (row) => row.testTerminal },
      { key: 'groups', title: 'device.groups', cell: (row) => <GroupLinks groups={row.groups} />, when: (row) => row.groups.length > 0 },
      { key: 'remark', title: 'device.remark', when: (row) => row.remark !== '' },
      { key: 'notes', title: 'device.notes', when: (row) => row.notes !== '' },
    ],
    actions: [
      ...deviceActs,
      ...rareActs,
      addLike,
      repairOrder,
      rowAction(deviceCalls.revoke, {
        successText: 'device.done.revoked',
        label: 'device.revoke',
        allowedAction: 'revoke',
        danger: true,
        icon: 'key',
        confirm: { text: 'device.revoke.about', type: true },
      }),
    ],
    slots: {
      acts: Acts,
      above: ({ row }) => (
        <>
          <FailedRelease row={row} />
          <DeviceDrifts row={row} />
          <FailingParts row={row} />
          <DeviceDoubles row={row} />
        </>
      ),
    },
    tabs: [
      { key: 'health', title: 'device.tab.health', Body: DeviceHealth },
      { key: 'model', title: 'thing.title', Body: DeviceThing },
      { key: 'position', title: 'position.title', Body: DevicePosition },
      { key: 'versions', title: 'device.tab.versions', Body: Versions },
      { key: 'params', title: 'paramResult.title', when: () => mayCall(paramResultCalls.ofDevice), Body: Params },
      { key: 'firmware', title: 'release.ofDevice', Body: DeviceReleases },
      { key: 'alarms', title: 'alarm.ofDevice', when: () => mayCall(alarmCalls.page), Body: Alarms },
      { key: 'fences', title: 'geofence.ofDevice', when: () => mayCall(geofenceCalls.ofDevice), Body: Fences },
      { key: 'hardware', title: 'hardwareTest.ofDevice', when: () => mayCall(hardwareTestCalls.page), Body: Tests },
      { key: 'orders', title: 'menu.order', when: () => mayCall(orderCalls.page), Body: Orders },
      { key: 'log', title: 'deviceLog.ofDevice', when: () => mayCall(deviceLogCalls.page), Body: DeviceLog },
      { key: 'timeline', title: 'device.tab.timeline', Body: DeviceTimeline },
      { key: 'custody', title: 'custody.title', Body: DeviceCustody },
      { key: 'commands', title: 'device.tab.commands', Body: DeviceCommands },
      { key: 'config', title: 'device.tab.config', Body: DeviceConfig },
      { key: 'identity', title: 'device.tab.identity', Body: DeviceIdentity },
    ],
  });
