import type { DeviceDetail } from '@mooring/contract/device/schemas';
import { Table } from '../../ui/table.tsx';
import { useT } from '../../ui/words.ts';

/** Parameters of its Android system as it says them; of a secret only that it is set. */
export function DeviceAndroid({ row }: { row: DeviceDetail }) {
  const t = useT();
  const params = Object.entries(row.androidParams)
    .map(([key, value]) => ({ key, value }))
    .sort((a, b) => (a.key < b.key ? -1 : 1));
  if (params.length === 0) return null;
  const words = (value: (typeof params)[number]['value']) =>
    value === null ? t('androidParam.set') : typeof value === 'boolean' ? t(value ? 'kit.yes' : 'kit.no') : String(value);
  return (
    <section className="m-stack-tight">
      <h2>{t('device.capability.androidParam')}</h2>
      <Table
        label={t('device.capability.androidParam')}
        rows={params}
        idOf={(param) => param.key}
        nameOf={(param) => param.key}
        columns={[
          { key: 'key', title: t('paramField.key'), width: 260, cell: (param) => <span className="m-mono">{param.key}</span> },
          { key: 'value', title: t('androidParam.value'), width: 360, cell: (param) => words(param.value) },
        ]}
      />
    </section>
  );
}
