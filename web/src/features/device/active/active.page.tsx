import { activeCalls } from '@mooring/contract/device/active/active-calls';
import { deviceCalls } from '@mooring/contract/device/calls';
import type { OutputOf } from '@mooring/contract/kit/call';
import { CallFailed } from '../../../kit/dead-end.tsx';
import { readCriteria, valuesOf, writeCriteria } from '../../../kit/list/list-url.ts';
import { ListView } from '../../../kit/list/list-view.tsx';
import type { ListSpec } from '../../../kit/list/types.ts';
import { page } from '../../../kit/page.tsx';
import { PageHead } from '../../../kit/page-head.tsx';
import { useCall } from '../../../kit/queries.ts';
import { mayCall } from '../../../kit/session.ts';
import { chooseSearch, searchNow, useView } from '../../../kit/view.ts';
import { Button } from '../../../ui/button.tsx';
import { Chart } from '../../../ui/chart.tsx';
import { Stat } from '../../../ui/figures.tsx';
import { Bone } from '../../../ui/states.tsx';
import { useFormat, useLooseT, useT } from '../../../ui/words.ts';
import { deviceTable } from '../device-table.ts';
import { type Part, Shares } from './shares.tsx';
import { Ticker } from './ticker.tsx';
import './active.css';

const online: ListSpec<typeof deviceCalls.page> = {
  ...deviceTable,
  code: 'device.online',
  title: 'active.list',
  filters: (deviceTable.filters ?? []).filter(({ field }) => !['status', 'deleted'].includes(field)),
  actions: [],
  empty: { title: 'active.none', text: 'active.noneText', icon: 'device' },
};
const connected = { status: '3' } as const;

/** The list's own filter by product holds for the figures too, where it names a single one. */
function useProduct() {
  const view = useView();
  const { timeZone } = useFormat();
  const chosen = valuesOf(readCriteria(deviceCalls.page, view.search, timeZone).productId);
  return {
    productId: chosen.length === 1 ? Number(chosen[0]) : undefined,
    choose: (productId: number | undefined) => chooseSearch(view, writeCriteria(searchNow(view), { productId }, timeZone)),
  };
}

type Curve = OutputOf<typeof activeCalls.curve>['content'];

function LastHour({ curve }: { curve: Curve }) {
  const t = useT();
  const format = useFormat();
  return (
    <section className="m-panel m-panel-body">
      <h2>{t('active.curve')}</h2>
      <Chart
        label={t('active.curve')}
        kind="area"
        data={{
          categories: curve.map(({ at }) => format.moment(at, 'clock')),
          series: [{ key: 'online', name: t('active.curve.online'), values: curve.map((one) => one.online), tone: 'good' }],
        }}
      />
    </section>
  );
}

function Active() {
  const t = useT();
  const loose = useLooseT();
  const format = useFormat();
  const { productId, choose } = useProduct();
  const of = productId === undefined ? {} : { productId };
  const figures = useCall(activeCalls.figures, of, { keep: true, every: 30 });
  const curve = useCall(activeCalls.curve, of, { keep: true, every: 60 });
  const now = figures.data;
  const sum = (key: 'came' | 'left') => curve.data?.content.reduce((all, one) => all + one[key], 0) ?? 0;
  const products: Part[] = (now?.byProduct ?? []).map((one) => ({
    key: String(one.productId),
    label: one.name,
    count: one.count,
    onPick: productId === undefined ? () => choose(one.productId) : undefined,
  }));
  const error = figures.error ?? curve.error;
  if (error && !(now && curve.data))
    return (
      <CallFailed
        error={error}
        onRetry={() => {
          figures.retry();
          curve.retry();
        }}
      />
    );
  return (
    <>
      <PageHead title={t('active.title')}>
        {productId === undefined ? null : (
          <Button icon="close" onClick={() => choose(undefined)}>
            {t('active.allProducts')}
          </Button>
        )}
      </PageHead>
      <div className="m-panel m-panel-body m-stats">
        <Stat label={t('active.online')} tone="good" value={format.number(now?.online ?? 0)} loading={!now} />
        <Stat label={t('active.share')} value={now && now.total > 0 ? format.percent(now.online / now.total, 1) : '–'} loading={!now} />
        <Stat label={t('active.came')} value={format.number(sum('came'))} loading={!curve.data} />
        <Stat label={t('active.left')} value={format.number(sum('left'))} loading={!curve.data} />
      </div>
      <div className="m-active">
        {curve.data ? <LastHour curve={curve.data.content} /> : <Bone height={320} />}
        <Ticker productId={productId} />
      </div>
      {now && now.online > 0 ? (
        <div className="m-active-parts">
          <Shares title={t('active.byProduct')} parts={products} />
          <Shares
            title={t('active.byVersion')}
            parts={now.byVersion.map(({ version, count }) => ({ key: version, label: version || t('active.unknown'), count }))}
          />
          <Shares
            title={t('active.byNetwork')}
            parts={now.byNetwork.map(({ network, count }) => ({
              key: network,
              label: network ? loose(`device.network.${network}`, network) : t('active.unknown'),
              count,
            }))}
            note={
              now.sampled
                ? t('active.sampled', { count: format.number(now.byNetwork.reduce((all, one) => all + one.count, 0)) })
                : undefined
            }
          />
        </div>
      ) : null}
      {mayCall(deviceCalls.page) ? (
        <section className="m-stack" aria-label={t('active.title')}>
          <h2>{t('active.list')}</h2>
          <ListView spec={online} fixed={connected} />
        </section>
      ) : null}
    </>
  );
}

export const activePage = page({ Body: Active });
