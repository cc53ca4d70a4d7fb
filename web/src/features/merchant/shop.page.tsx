import type { Call } from '@mooring/contract/kit/call';
import type { RowOf } from '@mooring/contract/kit/entity';
import { maintenanceCalls } from '@mooring/contract/merchant/maintenance';
import { type Shop, shopCalls } from '@mooring/contract/merchant/shop';
import { paramLevelCalls } from '@mooring/contract/paramfile/level-calls';
import { allows } from '../../kit/allows.ts';
import { bind } from '../../kit/bind-page.ts';
import { detailPage } from '../../kit/detail/detail-page.tsx';
import { ListView } from '../../kit/list/list-view.tsx';
import { type ListSpec, rowAction } from '../../kit/list/types.ts';
import type { Page } from '../../kit/route.ts';
import { mayCall } from '../../kit/session.ts';
import { Button } from '../../ui/button.tsx';
import { useT } from '../../ui/words.ts';
import { MaintenanceOf } from './maintenance.tsx';
import { merchantPath } from './merchants.tsx';
import type { OfPlace } from './of-place.ts';
import { OpeningHoursText } from './opening-hours.tsx';
import { AddressText, PositionText } from './place-text.tsx';
import { shopForm } from './shop-form.tsx';

type Row = RowOf<typeof Shop>;

function Acts({ row }: { row: Row }) {
  const t = useT();
  return (
    <>
      {allows(row, 'update') ? (
        <Button icon="edit" onClick={() => shopForm.edit(row)}>
          {t('shop.edit')}
        </Button>
      ) : null}
      <shopForm.Edit />
    </>
  );
}

const TerminalsTab = ({ row, spec }: { row: Row; spec: ListSpec<Call> }) => (
  <ListView spec={spec} fixed={{ shopId: row.id }} queryPrefix="t." />
);
const MaintenanceTab = ({ row }: { row: Row }) => <MaintenanceOf fixed={{ shopId: row.id }} />;
const ParamsTab = ({ row, Params }: { row: Row; Params: OfPlace }) => <Params key={row.id} place={{ level: 'shop', id: row.id }} />;

/** A shop with its terminals, the work on them, and what is set for them. The lists of the tabs are other domains'. */
export const shopPage = (terminals: ListSpec<Call>, Params: OfPlace): Page =>
  detailPage({
    call: shopCalls.detail,
    nameOf: (row) => row.name,
    note: (row) => <bdi className="m-mono m-muted">{row.number}</bdi>,
    facts: [
      { key: 'merchantName', title: 'shop.merchantId', link: ({ merchantId }) => merchantPath({ id: merchantId }) },
      { key: '_address', title: 'shop.address', cell: (row) => <AddressText of={row} /> },
      { key: 'phone', title: 'shop.phone' },
      { key: 'timeZone', title: 'shop.timeZone' },
      {
        key: '_hours',
        title: 'shop.openingHours',
        cell: (row) => <OpeningHoursText hours={row.openingHours} timeZone={row.timeZone} />,
      },
      { key: '_position', title: 'merchant.position', cell: (row) => <PositionText of={row} /> },
      { key: 'createdAt', title: 'shop.createdAt', kind: 'moment' },
      { key: 'remark', title: 'shop.remark', when: (row) => row.remark !== '' },
    ],
    actions: [
      rowAction(shopCalls.delete, {
        successText: 'done.deleted',
        label: 'shop.delete',
        allowedAction: 'delete',
        danger: true,
        confirm: { text: 'shop.delete.about' },
      }),
    ],
    slots: { acts: Acts },
    tabs: [
      {
        key: 'terminals',
        title: 'shop.terminals',
        count: (row) => String(row.terminals),
        Body: bind<{ spec: ListSpec<Call> }, { row: Row }>(TerminalsTab, { spec: terminals }),
      },
      {
        key: 'params',
        title: 'paramResult.title',
        when: () => mayCall(paramLevelCalls.ofPlace),
        Body: bind<{ Params: OfPlace }, { row: Row }>(ParamsTab, { Params }),
      },
      { key: 'maintenance', title: 'merchant.maintenance', when: () => mayCall(maintenanceCalls.page), Body: MaintenanceTab },
    ],
  });
