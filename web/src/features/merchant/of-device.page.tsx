import type { OutputOf } from '@mooring/contract/kit/call';
import { merchantCalls } from '@mooring/contract/merchant/calls';
import { maintenanceCalls } from '@mooring/contract/merchant/maintenance';
import { useState } from 'react';
import { assignMerchant, unassignMerchant } from '../../kit/assign-merchant.tsx';
import { detailPage, Facts } from '../../kit/detail/detail-page.tsx';
import { BulkDialog } from '../../kit/list/bulk.tsx';
import { mayCall } from '../../kit/session.ts';
import { go, idIn } from '../../kit/view.ts';
import { Button } from '../../ui/button.tsx';
import { Empty } from '../../ui/states.tsx';
import { useT } from '../../ui/words.ts';
import { MaintenanceOf } from './maintenance.tsx';
import { merchantPath } from './merchants.tsx';
import { OpeningHoursText } from './opening-hours.tsx';
import { AddressText, PositionText } from './place-text.tsx';
import { Shops } from './shops.tsx';

type Place = OutputOf<typeof merchantCalls.ofDevice>;

function Acts({ row: { device, merchant } }: { row: Place }) {
  const t = useT();
  const [open, setOpen] = useState<typeof assignMerchant>();
  const may = mayCall(merchantCalls.assign);
  return (
    <div className="m-row m-row-wrap">
      {may ? (
        <Button icon="merchant" look="primary" onClick={() => setOpen(assignMerchant)}>
          {t(merchant ? 'merchant.assign.change' : 'merchant.assign')}
        </Button>
      ) : null}
      {may && merchant ? <Button onClick={() => setOpen(unassignMerchant)}>{t('merchant.assign.out')}</Button> : null}
      {merchant ? <Button onClick={() => go(merchantPath(merchant))}>{t('merchant.toMerchant')}</Button> : null}
      <Button onClick={() => go(`/device/deviceDetail/${device.id}`)}>{t('merchant.toDevice')}</Button>
      {open ? (
        <BulkDialog action={open} of={{ ids: [device.id] }} count={1} capped={false} onClose={() => setOpen(undefined)} onDone={() => {}} />
      ) : null}
    </div>
  );
}

/** Merchant and shop side by side, or that there is none. */
function Where({ row: { merchant, shop } }: { row: Place }) {
  const t = useT();
  if (!merchant) return <Empty title={t('merchant.none')} text={t('merchant.none.about')} icon="merchant" />;
  return (
    <div className="m-stack">
      <Facts
        row={merchant}
        facts={[
          { key: 'name', title: 'merchant.assign.merchant', link: merchantPath },
          { key: 'number', title: 'merchant.number', kind: 'code' },
          { key: 'kind', title: 'merchant.kind', kind: 'name', names: 'merchant.kind.' },
          { key: 'contactName', title: 'merchant.contactName' },
          { key: 'phone', title: 'merchant.phone' },
          { key: '_address', title: 'merchant.address', cell: (row) => <AddressText of={row} /> },
        ]}
      />
      {shop ? (
        <Facts
          row={shop}
          facts={[
            { key: 'name', title: 'merchant.assign.shop' },
            { key: 'number', title: 'shop.number', kind: 'code' },
            { key: 'phone', title: 'shop.phone' },
            { key: '_address', title: 'shop.address', cell: (row) => <AddressText of={row} /> },
            { key: 'timeZone', title: 'shop.timeZone' },
            { key: '_position', title: 'merchant.position', cell: (row) => <PositionText of={row} /> },
            {
              key: '_hours',
              title: 'shop.openingHours',
              cell: (row) => <OpeningHoursText hours={row.openingHours} timeZone={row.timeZone} />,
            },
          ]}
        />
      ) : null}
    </div>
  );
}

const MaintenanceTab = ({ row }: { row: Place }) => <MaintenanceOf fixed={{ deviceId: row.device.id }} />;
const ShopsTab = ({ row: { merchant } }: { row: Place }) => (merchant ? <Shops merchantId={merchant.id} /> : null);

/** Where a terminal stands (specification, `/merchant/detail/{deviceId}`). */
export const merchantOfDevice = detailPage({
  call: merchantCalls.ofDevice,
  input: (view) => ({ deviceId: idIn(view, 'deviceId') }),
  nameOf: ({ device }) => device.sn,
  note: ({ device }) => [device.name === device.sn ? '' : device.name, device.productName, device.deptName].filter(Boolean).join(' · '),
  slots: { acts: Acts, above: Where },
  tabs: [
    {
      key: 'maintenance',
      title: 'merchant.maintenance',
      when: () => mayCall(maintenanceCalls.page),
      Body: MaintenanceTab,
    },
    {
      key: 'shops',
      title: 'merchant.shops',
      when: ({ merchant }) => merchant !== null,
      Body: ShopsTab,
    },
  ],
});
