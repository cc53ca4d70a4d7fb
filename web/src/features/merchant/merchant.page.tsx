import { firmwareKind } from '@mooring/contract/firmware/kind';
import { taskCalls } from '@mooring/contract/firmware/task-calls';
import type { Call } from '@mooring/contract/kit/call';
import type { RowOf } from '@mooring/contract/kit/entity';
import { type Merchant, merchantCalls } from '@mooring/contract/merchant/calls';
import { maintenanceCalls } from '@mooring/contract/merchant/maintenance';
import { orderCalls } from '@mooring/contract/order/calls';
import { paramLevelCalls } from '@mooring/contract/paramfile/level-calls';
import { useState } from 'react';
import { allows } from '../../kit/allows.ts';
import { bind } from '../../kit/bind-page.ts';
import { detailPage } from '../../kit/detail/detail-page.tsx';
import { ListView } from '../../kit/list/list-view.tsx';
import { type ListSpec, rowAction } from '../../kit/list/types.ts';
import type { Page } from '../../kit/route.ts';
import { mayCall, session } from '../../kit/session.ts';
import { Button } from '../../ui/button.tsx';
import { useT } from '../../ui/words.ts';
import { AssignTerminals } from './assign-terminals.tsx';
import { MaintenanceOf } from './maintenance.tsx';
import { merchantForm } from './merchants.tsx';
import type { OfPlace } from './of-place.ts';
import type { OrdersOf } from './pages.ts';
import { AddressText, PositionText } from './place-text.tsx';
import { Shops } from './shops.tsx';

type Row = RowOf<typeof Merchant>;

function Acts({ row }: { row: Row }) {
  const t = useT();
  const [assigning, setAssigning] = useState(false);
  return (
    <div className="m-row m-row-wrap">
      {mayCall(merchantCalls.assign) ? (
        <Button icon="device" look="primary" onClick={() => setAssigning(true)}>
          {t('merchant.assign.terminals')}
        </Button>
      ) : null}
      {allows(row, 'update') ? (
        <Button icon="edit" onClick={() => merchantForm.edit(row)}>
          {t('merchant.edit')}
        </Button>
      ) : null}
      {assigning ? <AssignTerminals merchantId={row.id} onClose={() => setAssigning(false)} /> : null}
      <merchantForm.Edit />
    </div>
  );
}

const ShopsTab = ({ row }: { row: Row }) => <Shops merchantId={row.id} />;
const MaintenanceTab = ({ row }: { row: Row }) => <MaintenanceOf fixed={{ merchantId: row.id }} />;
const TerminalsTab = ({ row, spec }: { row: Row; spec: ListSpec<Call> }) => (
  <ListView spec={spec} fixed={{ merchantId: row.id }} queryPrefix="t." />
);
const ParamsTab = ({ row, Params }: { row: Row; Params: OfPlace }) => <Params key={row.id} place={{ level: 'merchant', id: row.id }} />;

/** A merchant with its shops, terminals, the work on them and what is set for them. The list of terminals and what is set are other domains'. */
export const merchantPage = (terminals: ListSpec<Call>, Params: OfPlace, Orders: OrdersOf): Page =>
  detailPage({
    call: merchantCalls.detail,
    nameOf: (row) => row.name,
    note: (row) => <bdi className="m-mono m-muted">{row.number}</bdi>,
    facts: [
      { key: 'kind', title: 'merchant.kind', kind: 'name', names: 'merchant.kind.' },
      { key: 'deptName', title: 'merchant.deptId' },
      { key: 'contactName', title: 'merchant.contactName' },
      { key: 'phone', title: 'merchant.phone' },
      { key: 'email', title: 'merchant.email' },
      { key: '_address', title: 'merchant.address', cell: (row) => <AddressText of={row} /> },
      { key: '_position', title: 'merchant.position', cell: (row) => <PositionText of={row} /> },
      { key: 'createdAt', title: 'merchant.createdAt', kind: 'moment' },
      { key: 'usedBy', title: 'merchant.usedBy', when: (row) => row.usedBy !== null },
      { key: 'remark', title: 'merchant.remark', when: (row) => row.remark !== '' },
    ],
    actions: [
      {
        key: 'release',
        label: 'merchant.release',
        icon: 'send',
        when: () => mayCall(taskCalls.add),
        to: (row) => `${firmwareKind.screens.task}/new?merchant=${row.id}`,
      },
      {
        key: 'order',
        label: 'order.add',
        icon: 'order',
        call: orderCalls.add,
        when: (row) => row.terminals > 0 && session.get().platform === 'manager',
        to: (row) => `/orderCreate?merchantId=${row.id}`,
      },
      rowAction(merchantCalls.delete, {
        successText: 'done.deleted',
        label: 'merchant.delete',
        allowedAction: 'delete',
        danger: true,
        confirm: { text: 'merchant.delete.about', type: true },
      }),
    ],
    slots: { acts: Acts },
    tabs: [
      { key: 'shops', title: 'merchant.shops', count: (row) => String(row.shops), Body: ShopsTab },
      {
        key: 'terminals',
        title: 'merchant.terminals',
        count: (row) => String(row.terminals),
        Body: bind<{ spec: ListSpec<Call> }, { row: Row }>(TerminalsTab, { spec: terminals }),
      },
      {
        key: 'params',
        title: 'paramResult.title',
        when: () => mayCall(paramLevelCalls.ofPlace),
        Body: bind<{ Params: OfPlace }, { row: Row }>(ParamsTab, { Params }),
      },
      {
        key: 'maintenance',
        title: 'merchant.maintenance',
        when: () => mayCall(maintenanceCalls.page),
        Body: MaintenanceTab,
      },
      { key: 'orders', title: 'menu.order', when: () => mayCall(orderCalls.page), Body: Orders },
    ],
  });
