import type { DeviceDetail } from '@mooring/contract/device/schemas';
import { Empty } from '../../ui/states.tsx';
import { Table } from '../../ui/table.tsx';
import { useLooseT, useT } from '../../ui/words.ts';

interface Part {
  readonly kind: string;
  readonly name: string;
  readonly version: string;
}

/** Everything on it that has a version; what was set on it has the digest of its values. */
export function DeviceVersions({ row }: { row: DeviceDetail }) {
  const t = useT();
  const loose = useLooseT();
  const parts: Part[] = [
    ...(row.firmware ? [{ kind: t('device.firmware'), name: row.productCode, version: row.firmware }] : []),
    ...(row.patch ? [{ kind: t('device.patch'), name: '', version: row.patch }] : []),
    ...Object.entries(row.modules).map(([name, version]) => ({ kind: t('device.modules'), name, version })),
    ...row.apps.map((app) => ({ kind: t('device.apps'), name: app.name ?? app.id, version: app.version })),
    ...Object.entries(row.settings).flatMap(([section, digest]) => {
      const [kind = '', ...name] = section.split('.');
      // Their values stand below.
      if (kind === 'androidParam') return [];
      return { kind: loose(`device.capability.${kind}`, kind), name: name.join('.'), version: digest };
    }),
    ...(row.agent ? [{ kind: t('device.agent'), name: '', version: row.agent }] : []),
  ];
  if (parts.length === 0) return <Empty title={t('device.health.none')} icon="device" />;
  return (
    <Table
      label={t('device.tab.versions')}
      rows={parts}
      idOf={(part) => `${part.kind}:${part.name}`}
      nameOf={(part) => part.name}
      columns={[
        { key: 'kind', title: t('device.part'), width: 160, cell: (part) => part.kind },
        { key: 'name', title: t('device.name'), width: 260, cell: (part) => part.name },
        { key: 'version', title: t('device.version'), width: 200, cell: (part) => <span className="m-mono">{part.version}</span> },
      ]}
    />
  );
}
