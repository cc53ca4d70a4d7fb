import { deviceHistoryCalls, HistoryDays } from '@mooring/contract/device/history-calls';
import type { DeviceDetail } from '@mooring/contract/device/schemas';
import { useState } from 'react';
import { CallFailed } from '../../kit/dead-end.tsx';
import { useCall } from '../../kit/queries.ts';
import { Chart } from '../../ui/chart.tsx';
import type { ChartKind } from '../../ui/chart-option.ts';
import { Select } from '../../ui/controls.tsx';
import { Bone, Empty } from '../../ui/states.tsx';
import { useFormat, useT } from '../../ui/words.ts';

interface Curve {
  readonly key: string;
  readonly title: string;
  readonly kind: ChartKind;
  readonly write: (value: number) => string;
  readonly scale?: 'bytes' | 'level';
  readonly series: readonly { readonly key: string; readonly name: string; readonly values: readonly (number | null)[] }[];
}

const isKnown = ({ series }: Curve) => series.some((one) => one.values.some((value) => value !== null));

/** Its figures hour by hour: what it reported, and what went over its line. */
export function DeviceHistory({ row: { id } }: { row: Pick<DeviceDetail, 'id'> }) {
  const t = useT();
  const format = useFormat();
  const [days, setDays] = useState<HistoryDays>('1');
  const health = useCall(deviceHistoryCalls.health, { id, days }, { every: 300, keep: true });
  const traffic = useCall(deviceHistoryCalls.transport, { id, days }, { every: 300, keep: true });
  const error = health.error ?? traffic.error;
  const points = health.data?.content;
  const moved = traffic.data?.content;
  const body = () => {
    if (error && !(points && moved))
      return (
        <CallFailed
          part
          error={error}
          onRetry={() => {
            health.retry();
            traffic.retry();
          }}
        />
      );
    if (!points || !moved) return <Bone height={260} />;
    const degrees = (value: number) => format.straight(`${format.number(value)} °C`);
    const one = (key: string, title: string, values: readonly (number | null)[]) => [{ key, name: title, values }];
    const curves: readonly Curve[] = [
      {
        key: 'battery',
        title: t('device.battery'),
        kind: 'area',
        write: (value) => format.percent(value / 100),
        series: one(
          'battery',
          t('device.battery'),
          points.map((point) => point.battery),
        ),
      },
      {
        key: 'signal',
        title: t('device.history.signal'),
        kind: 'line',
        write: (value) => format.straight(`${format.number(value)} dBm`),
        scale: 'level',
        series: one(
          'signal',
          t('device.history.signal'),
          points.map((point) => point.signal),
        ),
      },
      {
        key: 'storage',
        title: t('device.history.free'),
        kind: 'area',
        write: format.size,
        scale: 'bytes',
        series: one(
          'storage',
          t('device.history.free'),
          points.map((point) => point.storageFree),
        ),
      },
      {
        key: 'temperature',
        title: t('device.temperature'),
        kind: 'line',
        write: degrees,
        scale: 'level',
        series: one(
          'temperature',
          t('device.temperature'),
          points.map((point) => point.temperature),
        ),
      },
      {
        key: 'traffic',
        title: t('device.history.traffic'),
        kind: 'bar',
        write: format.size,
        scale: 'bytes',
        series: [
          { key: 'received', name: t('device.history.received'), values: moved.map((point) => point.received) },
          { key: 'sent', name: t('device.history.sent'), values: moved.map((point) => point.sent) },
        ],
      },
    ];
    const known = curves.filter(isKnown);
    if (known.length === 0) return <Empty icon="clock" title={t('device.history.none')} text={t('device.history.none.text')} />;
    const names = points.map(({ at }) => format.moment(at, days === '1' ? 'clock' : 'dayClock'));
    return (
      <div className="m-curves">
        {known.map(({ key, title, kind, write, scale, series }) => (
          <section key={key}>
            <h3>{title}</h3>
            <Chart
              label={`${title}, ${t(`device.history.${days}`)}`}
              kind={kind}
              write={write}
              scale={scale}
              data={{ categories: names, series }}
            />
          </section>
        ))}
      </div>
    );
  };
  return (
    <section className="m-panel m-panel-body m-stack" aria-label={t('device.history')}>
      <div className="m-row m-row-wrap">
        <h2>{t('device.history')}</h2>
        <Select
          label={t('device.history.days')}
          width={160}
          value={days}
          onChange={(value = '1') => setDays(value)}
          options={HistoryDays.options.map((value) => ({ value, label: t(`device.history.${value}`) }))}
        />
      </div>
      {body()}
    </section>
  );
}
