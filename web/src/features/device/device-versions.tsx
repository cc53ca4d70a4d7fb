import { sizeWords } from '@mooring/contract/desktop/screen-fit';
import { shownCalls } from '@mooring/contract/desktop/shown-calls';
import type { DeviceDetail } from '@mooring/contract/device/schemas';
import { Link } from '../../kit/link.tsx';
import { useCall } from '../../kit/queries.ts';
import { Empty } from '../../ui/states.tsx';
import { Table } from '../../ui/table.tsx';
import { useLooseT, useT } from '../../ui/words.ts';

interface Part {
  readonly kind: string;
  readonly name: string;
  readonly version: string;
  readonly to?: string | undefined;
}

/** Where what a terminal shows is kept, by how it reports it. */
const shownAt: Readonly<Record<string, string>> = {
  storeAdvertSpace: '/pos/advert/detail',
  systemCustomization: '/pos/customization/detail',
  customizeDesktop: '/diyDesktop/detail',
};

const kindOf = (section: string) => section.split('.')[0] ?? '';

/** Everything on it that has a version; what was set on it has the digest of its values. */
export function DeviceVersions({ row }: { row: DeviceDetail }) {
  const t = useT();
  const loose = useLooseT();
  const shown = useCall(
    shownCalls.shown,
    { deviceId: row.id },
    { enabled: Object.keys(row.settings).some((one) => kindOf(one) in shownAt) },
  );
  const parts: Part[] = [
    ...(row.firmware ? [{ kind: t('device.firmware'), name: row.productCode, version: row.firmware }] : []),
    ...(row.patch ? [{ kind: t('device.patch'), name: '', version: row.patch }] : []),
    ...Object.entries(row.modules).map(([name, version]) => ({ kind: t('device.modules'), name, version })),
    ...Object.entries(row.settings).flatMap(([section, digest]) => {
      const [kind = '', ...name] = section.split('.');
      // Their values stand below.
      if (kind === 'androidParam') return [];
      const own = shown.data?.find((one) => one.section === section);
      const part = { kind: loose(`device.capability.${kind}`, kind), version: digest };
      if (!own) return { ...part, name: name.join('.') };
      const place = name[0] === undefined ? own.screen && sizeWords(own.screen) : loose(`advert.place.${name[0]}`, name[0]);
      return { ...part, name: place ? `${own.name} (${place})` : own.name, to: `${shownAt[kind]}/${own.id}` };
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
        { key: 'name', title: t('device.name'), width: 260, cell: (part) => (part.to ? <Link to={part.to}>{part.name}</Link> : part.name) },
        { key: 'version', title: t('device.version'), width: 200, cell: (part) => <span className="m-mono">{part.version}</span> },
      ]}
    />
  );
}
