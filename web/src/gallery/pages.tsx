import { detailPage, Facts } from '../kit/detail/detail-page.tsx';
import { formPage } from '../kit/form/form-page.tsx';
import { wizardPage } from '../kit/form/wizard-page.tsx';
import { listPage } from '../kit/list/list-page.tsx';
import { ListView } from '../kit/list/list-view.tsx';
import { bulkAct, rowAction } from '../kit/list/types.ts';
import { DevicePicture } from '../ui/device-picture.tsx';
import { Timeline } from '../ui/figures.tsx';
import { Note } from '../ui/states.tsx';
import { type Boat, boatCalls, boatMachine } from './calls.ts';

export const sampleList = listPage({
  code: 'gallery.list',
  title: 'menu.device',
  call: boatCalls.page,
  search: { field: 'text', hint: 'device.sn' },
  export: boatCalls.export,
  open: () => '/__gallery?show=detail',
  columns: [
    { key: 'sn', title: 'device.sn', kind: 'code', width: 180, pinned: 'left', sort: true, link: () => '/__gallery?show=detail' },
    { key: 'name', title: 'device.name', sort: true, width: 200 },
    { key: 'status', title: 'device.status', kind: 'state', machine: boatMachine, width: 120 },
    { key: 'kind', title: 'product.packageKinds', kind: 'name', names: 'product.packageKind.', width: 110 },
    { key: 'size', title: 'kit.upload.wait', kind: 'size', sort: true, width: 100 },
    { key: 'share', title: 'device.battery', kind: 'percent', width: 90 },
    { key: 'tags', title: 'device.tags', kind: 'tags', width: 150 },
    { key: 'seenAt', title: 'device.lastSeenAt', kind: 'ago', width: 130 },
    { key: 'createdAt', title: 'device.createdAt', kind: 'moment', sort: true, width: 160 },
    { key: 'on', title: 'device.charging', kind: 'yes', off: true },
  ],
  filters: [
    { field: 'status', label: 'device.status', machine: boatMachine },
    { field: 'kind', label: 'product.packageKinds', names: 'product.packageKind.' },
    { field: 'createdAt', label: 'device.createdAt' },
    { field: 'seenAt', label: 'device.lastSeenAt', kind: 'statistic' },
  ],
  actions: [{ key: 'add', label: 'product.add', icon: 'add', primary: true, to: '/__gallery?show=form' }],
  rowActions: [
    rowAction(boatCalls.disable, {
      successText: 'done.disabled',
      label: 'life.device.disabled',
      icon: 'cancel',
      allowedAction: 'disable',
      input: (row: Boat) => ({ of: { ids: [row.id] } }),
    }),
    rowAction(boatCalls.delete, {
      successText: 'done.deleted',
      label: 'product.delete',
      icon: 'delete',
      danger: true,
      apart: true,
      allowedAction: 'delete',
      confirm: { text: 'kit.confirm.type', type: true },
    }),
  ],
  bulk: [bulkAct(boatCalls.disable, { successText: 'device.done.disabledMany', label: 'kit.selection.count', danger: true, type: true })],
  empty: { title: 'product.empty', icon: 'device' },
});

const Story = () => (
  <div className="m-panel m-panel-body">
    <Timeline
      entries={[
        { key: 1, at: '2026-10-02T08:00:00Z', title: 'Online', tone: 'good' },
        { key: 2, at: '2026-10-02T07:12:00Z', title: 'Offline', text: 'Lease ran out', tone: 'bad' },
        { key: 3, at: '2026-10-01T11:00:00Z', title: 'Added', tone: 'idle' },
      ]}
    />
  </div>
);
const Others = () => <ListView spec={sampleList.spec} queryPrefix="c." />;

export const sampleDetail = detailPage({
  call: boatCalls.detail,
  input: () => ({ id: 7 }),
  nameOf: (row) => row.sn,
  state: { machine: boatMachine, of: (row) => row.status },
  note: (row) => row.name,
  facts: [
    { key: 'kind', title: 'product.packageKinds', kind: 'name', names: 'product.packageKind.' },
    { key: 'size', title: 'kit.upload.wait', kind: 'size' },
    { key: 'tags', title: 'device.tags', kind: 'tags' },
    { key: 'seenAt', title: 'device.lastSeenAt', kind: 'ago' },
    { key: 'createdAt', title: 'device.createdAt', kind: 'moment' },
  ],
  actions: [
    rowAction(boatCalls.disable, {
      successText: 'done.disabled',
      label: 'life.device.disabled',
      icon: 'cancel',
      allowedAction: 'delete',
      input: (row: Boat) => ({ of: { ids: [row.id] } }),
    }),
    rowAction(boatCalls.delete, {
      successText: 'done.deleted',
      label: 'product.delete',
      icon: 'delete',
      danger: true,
      allowedAction: 'delete',
    }),
  ],
  tabs: [
    { key: 'story', title: 'device.lastSeenAt', Body: Story },
    { key: 'others', title: 'menu.devices', count: () => '12', Body: Others },
  ],
  slots: { picture: () => <DevicePicture category="smartPos" />, above: () => <Note tone="warn">…</Note> },
});

export const sampleForm = formPage({
  title: 'product.add',
  call: boatCalls.add,
  submit: 'product.add',
  successText: 'done.saved',
  done: () => '/__gallery?show=list',
  cancel: '/__gallery?show=list',
  sections: [
    {
      title: 'menu.product',
      fields: [
        { name: 'name', label: 'product.name', help: 'product.search' },
        { name: 'email', label: 'auth.account' },
        { name: 'kind', label: 'product.packageKinds', names: 'product.packageKind.' },
        { name: 'size', label: 'product.heartbeatSeconds', unit: 'kit.unit.percent' },
      ],
    },
    {
      title: 'kit.more',
      fields: [
        { name: 'tags', label: 'device.tags' },
        { name: 'on', label: 'device.charging' },
        { name: 'expiresAt', label: 'device.createdAt', kind: 'moment', when: (values) => values.on === true },
        { name: 'remark', label: 'product.remark' },
      ],
    },
  ],
});

export const sampleWizard = wizardPage({
  title: 'menu.firmwareTask',
  call: boatCalls.add,
  useSubmit: (values) => ({ words: { text: `Release ${values.name ?? ''}` } }),
  successText: 'done.saved',
  done: () => '/__gallery?show=list',
  cancel: '/__gallery?show=list',
  initial: { kind: 'firmware' },
  steps: [
    {
      key: 'what',
      title: 'product.name',
      text: 'product.search',
      fields: [
        { name: 'name', label: 'product.name' },
        { name: 'email', label: 'auth.account' },
      ],
    },
    {
      key: 'how',
      title: 'product.packageKinds',
      fields: [
        { name: 'kind', label: 'product.packageKinds', names: 'product.packageKind.', kind: 'radio' },
        { name: 'size', label: 'product.heartbeatSeconds' },
      ],
    },
    {
      key: 'check',
      title: 'kit.done',
      render: (values) => (
        <Facts
          row={values}
          facts={[
            { key: 'name', title: 'product.name' },
            { key: 'kind', title: 'product.packageKinds', kind: 'name', names: 'product.packageKind.' },
            { key: 'size', title: 'product.heartbeatSeconds', kind: 'number' },
          ]}
        />
      ),
    },
  ],
});
