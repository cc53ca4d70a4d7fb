import type { DeviceDetail } from '@mooring/contract/device/schemas';
import { type Fact, Facts } from '../../kit/detail/detail-page.tsx';
import { Progress } from '../../ui/figures.tsx';
import { Empty } from '../../ui/states.tsx';
import { useFormat, useLooseT, useT } from '../../ui/words.ts';
import { DeviceHistory } from './device-history.tsx';

const known = (value: unknown) => value !== null && value !== undefined;

const isBytes = (counter: string) => counter === 'rxBytes' || counter === 'txBytes';

/** The newest figures that it told, and those of before. */
export function DeviceHealth({ row }: { row: DeviceDetail }) {
  const t = useT();
  const loose = useLooseT();
  const format = useFormat();
  const { health } = row;
  const used = health.storageTotal && health.storageFree !== null ? 1 - health.storageFree / health.storageTotal : undefined;
  if (!known(row.lastSeenAt)) return <Empty title={t('device.health.none')} icon="device" />;
  const facts: Fact<typeof health>[] = [
    {
      key: 'battery',
      title: 'device.battery',
      when: (one) => known(one.battery),
      cell: (one) => `${format.percent(Math.round(one.battery ?? 0) / 100)}${one.charging ? ` · ${t('device.charging')}` : ''}`,
    },
    {
      key: 'network',
      title: 'device.network',
      when: (one) => known(one.network),
      cell: (one) =>
        `${loose(`device.network.${one.network}`, one.network ?? '')}${one.signal === null ? '' : ` · ${format.straight(`${one.signal} dBm`)}`}`,
    },
    {
      key: 'storageFree',
      title: 'device.storage',
      when: (one) => known(one.storageFree),
      cell: (one) => (
        <div className="m-stack-tight">
          {one.storageTotal
            ? t('device.storage.of', { free: format.size(one.storageFree ?? 0), total: format.size(one.storageTotal) })
            : format.size(one.storageFree ?? 0)}
          {used === undefined ? null : <Progress share={used} label={t('device.storage.used')} />}
        </div>
      ),
    },
    {
      key: 'temperature',
      title: 'device.temperature',
      when: (one) => known(one.temperature),
      cell: (one) => format.straight(`${Math.round(one.temperature ?? 0)} °C`),
    },
    {
      key: 'uptime',
      title: 'device.uptime',
      when: (one) => known(one.uptime),
      cell: (one) => format.duration(one.uptime ?? 0),
    },
    {
      key: 'lat',
      title: 'device.position',
      when: (one) => known(one.lat),
      cell: (one) => format.straight(`${one.lat?.toFixed(4)}, ${one.lon?.toFixed(4)}`),
    },
  ];
  return (
    <div className="m-stack">
      <Facts row={health} facts={facts.filter((fact) => fact.when?.(health) ?? true)} />
      {Object.keys(health.counters).length > 0 ? (
        <dl className="m-facts m-panel" aria-label={t('device.counters')}>
          {Object.entries(health.counters).map(([name, value]) => (
            <div key={name}>
              <dt>{loose(`device.counter.${name}`, name)}</dt>
              <dd>{isBytes(name) ? format.size(value) : format.number(value)}</dd>
            </div>
          ))}
        </dl>
      ) : null}
      <DeviceHistory row={row} />
    </div>
  );
}
