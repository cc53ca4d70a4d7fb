import { LOW_BATTERY, LOW_STORAGE, SILENT_HOURS } from '@mooring/contract/device/attention';
import { deviceCalls } from '@mooring/contract/device/calls';
import type { OutputOf } from '@mooring/contract/kit/call';
import { productCalls } from '@mooring/contract/product/calls';
import { hrefOf } from '../../kit/base.ts';
import { ConfigTable } from '../../kit/config-table.tsx';
import { CallFailed } from '../../kit/dead-end.tsx';
import { follow } from '../../kit/link.tsx';
import { useCall } from '../../kit/queries.ts';
import { mayCall } from '../../kit/session.ts';
import { Stat } from '../../ui/figures.tsx';
import { Empty } from '../../ui/states.tsx';
import { Table } from '../../ui/table.tsx';
import { useFormat, useLooseT, useT } from '../../ui/words.ts';

type Row = OutputOf<typeof productCalls.detail>;

/** What holds for its terminals: its own values, or those of all products. */
function Defaults({ row }: { row: Row }) {
  const t = useT();
  const format = useFormat();
  const either = (own: number | null, all: number, words: (value: number) => string) =>
    own === null ? t('product.default.all', { value: words(all) }) : words(own);
  const percent = (value: number) => format.percent(value / 100);
  const values = [
    [t('product.heartbeat'), format.span(row.heartbeatSeconds)],
    [t('product.lowBattery'), either(row.lowBatteryPercent, LOW_BATTERY, percent)],
    [t('product.storageFull'), either(row.storageFullPercent, 100 - LOW_STORAGE, percent)],
    [t('product.silent'), either(row.silentHours, SILENT_HOURS, (hours) => format.span(hours * 3600))],
  ] as const;
  return (
    <section className="m-stack-tight">
      <h2 className="m-h2">{t('product.defaults')}</h2>
      <dl className="m-facts m-panel">
        {values.map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
      <ConfigTable values={row.config} label={t('product.config')} />
    </section>
  );
}

/** Its defaults, and what there is of it: terminals and packages. */
export function ProductOverview({ row }: { row: Row }) {
  const t = useT();
  const loose = useLooseT();
  const format = useFormat();
  const usage = useCall(productCalls.usage, { id: row.id });
  const terminals = `/device/all?productId=${row.id}`;
  if (usage.error) return <CallFailed part error={usage.error} onRetry={usage.retry} />;
  const { terminals: count = 0, packages = [] } = usage.data ?? {};
  return (
    <div className="m-stack">
      <Stat
        label={t('product.terminals')}
        value={format.number(count)}
        loading={usage.loading}
        {...(count > 0 && mayCall(deviceCalls.page) ? { href: hrefOf(terminals), onClick: follow(terminals) } : {})}
      />
      <Defaults row={row} />
      <section className="m-stack-tight">
        <h2 className="m-h2">{t('product.packages')}</h2>
        {usage.data && packages.length === 0 ? (
          <Empty icon="cloud" title={t('product.packages.empty')} text={t('product.packages.emptyText')} />
        ) : (
          <Table
            label={t('product.packages')}
            rows={packages}
            idOf={(one) => one.kind}
            nameOf={(one) => one.kind}
            columns={[
              {
                key: 'kind',
                title: t('product.packages.kind'),
                width: 200,
                cell: (one) => loose(`product.packageKind.${one.kind}`, one.kind),
              },
              {
                key: 'newest',
                title: t('product.packages.newest'),
                width: 180,
                cell: (one) => <span className="m-mono">{one.newest}</span>,
              },
              { key: 'packages', title: t('product.packages'), width: 120, cell: (one) => format.number(one.packages) },
              { key: 'published', title: t('life.product.published'), width: 120, cell: (one) => format.number(one.published) },
            ]}
          />
        )}
      </section>
    </div>
  );
}
