import type { ConfigValues } from '@mooring/contract/device/config-values';
import { Table } from '../ui/table.tsx';
import { useT } from '../ui/words.ts';

/** Settings by their names, in order; nothing where there is none. */
export function ConfigTable({ values, label }: { values: ConfigValues; label: string }) {
  const t = useT();
  const rows = Object.entries(values)
    .map(([key, value]) => ({ key, value }))
    .sort((a, b) => (a.key < b.key ? -1 : 1));
  if (rows.length === 0) return null;
  return (
    <Table
      label={label}
      rows={rows}
      idOf={(row) => row.key}
      nameOf={(row) => row.key}
      columns={[
        { key: 'key', title: t('config.name'), width: 260, cell: (row) => <span className="m-mono">{row.key}</span> },
        {
          key: 'value',
          title: t('config.value'),
          width: 360,
          cell: ({ value }) => (typeof value === 'boolean' ? t(value ? 'kit.yes' : 'kit.no') : String(value)),
        },
      ]}
    />
  );
}
