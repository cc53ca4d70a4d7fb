import { sizeWords } from '@mooring/contract/desktop/screen-fit';
import type { DeviceDetail } from '@mooring/contract/device/schemas';
import { Facts } from '../../kit/detail/detail-page.tsx';
import { CopyText } from '../../ui/copy-text.tsx';
import { QrCode } from '../../ui/qr-code.tsx';
import { Empty } from '../../ui/states.tsx';
import { Table } from '../../ui/table.tsx';
import { useFormat, useT } from '../../ui/words.ts';

/** Numbers of the hardware, and the certificates that let it in. */
export function DeviceIdentity({ row }: { row: DeviceDetail }) {
  const t = useT();
  const format = useFormat();
  const moment = (at: string | null) => (at === null ? '' : format.moment(at));
  return (
    <div className="m-stack">
      <QrCode value={row.sn} label={t('device.qr', { sn: row.sn })} />
      <Facts
        row={row}
        facts={[
          { key: 'sn', title: 'device.sn', kind: 'code' },
          { key: 'model', title: 'device.model' },
          {
            key: '_screen',
            title: 'device.screen',
            when: ({ screen }) => screen !== null,
            cell: ({ screen }) => (screen ? sizeWords(screen) : ''),
          },
          { key: 'pn', title: 'device.pn', kind: 'code' },
          { key: 'imei', title: 'device.imei', kind: 'code' },
          { key: 'mac', title: 'device.mac', kind: 'code' },
          { key: 'iccid', title: 'device.iccid', kind: 'code' },
          { key: 'capabilities', title: 'device.capabilities', kind: 'tags', names: 'device.capability.' },
        ]}
      />
      {row.credentials.length === 0 ? (
        <Empty title={t('device.certificate.none')} icon="key" />
      ) : (
        <Table
          label={t('device.certificate')}
          rows={row.credentials}
          idOf={(one) => one.id}
          nameOf={(one) => one.serial}
          columns={[
            {
              key: 'fingerprint',
              title: t('device.certificate.fingerprint'),
              width: 280,
              cell: (one) => <CopyText text={one.fingerprint} short={10} />,
            },
            { key: 'issuedAt', title: t('device.certificate.issuedAt'), width: 170, cell: (one) => moment(one.issuedAt) },
            { key: 'expiresAt', title: t('device.certificate.expiresAt'), width: 170, cell: (one) => moment(one.expiresAt) },
            { key: 'revokedAt', title: t('device.certificate.revokedAt'), width: 170, cell: (one) => moment(one.revokedAt) },
          ]}
        />
      )}
    </div>
  );
}
