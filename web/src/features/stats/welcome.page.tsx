import { deviceMachine } from '@mooring/contract/device/state-machines';
import { codeOf } from '@mooring/contract/kit/state-machine';
import { homeCalls, type Overview } from '@mooring/contract/stats/calls';
import { hrefOf } from '../../kit/base.ts';
import { CallFailed } from '../../kit/dead-end.tsx';
import { follow } from '../../kit/link.tsx';
import { page } from '../../kit/page.tsx';
import { PageHead } from '../../kit/page-head.tsx';
import { useCall } from '../../kit/queries.ts';
import { useSession } from '../../kit/session.ts';
import { ShareBar, Stat } from '../../ui/figures.tsx';
import { useFormat, useT } from '../../ui/words.ts';
import { Checklist } from './checklist.tsx';
import { FailingReleases } from './failing-releases.tsx';

type State = keyof typeof deviceMachine.states;
const figures = [
  ['online', 'online', 'welcome.online'],
  ['offline', 'offline', 'welcome.offline'],
  ['inactive', 'inactive', 'welcome.inactive'],
  ['disabled', 'disabled', 'welcome.disabled'],
  ['inStock', 'stocked', 'welcome.inStock'],
] as const satisfies readonly (readonly [keyof Overview, State, string])[];
const list = '/device/device';
const listOf = (state: State) => `${list}?status=${codeOf(deviceMachine, state)}`;

function Fleet({ data }: { data: Overview | undefined }) {
  const t = useT();
  const format = useFormat();
  const inUse = data ? data.online + data.offline : 0;
  return (
    <section className="m-panel" aria-labelledby="fleet">
      <div className="m-panel-head">
        <h2 id="fleet" className="m-grow">
          {t('welcome.fleet')}
        </h2>
        {data && inUse > 0 ? (
          <span className="m-muted">{t('welcome.share', { share: format.percent(data.online / inUse, 1) })}</span>
        ) : null}
      </div>
      <div className="m-panel-body m-stack">
        <div className="m-stats">
          <Stat
            label={t('welcome.total')}
            value={format.number(data?.total ?? 0)}
            loading={!data}
            href={hrefOf(list)}
            onClick={follow(list) as never}
          />
          {figures.map(([field, state, key]) => (
            <Stat
              key={field}
              label={t(key)}
              tone={deviceMachine.states[state].tone}
              value={format.number(data?.[field] ?? 0)}
              loading={!data}
              href={hrefOf(listOf(state))}
              onClick={follow(listOf(state)) as never}
            />
          ))}
          <Stat
            label={t('welcome.running')}
            value={format.number(data?.runningTasks ?? 0)}
            loading={!data}
            href={hrefOf('/device/fota')}
            onClick={follow('/device/fota') as never}
          />
        </div>
        {data && data.total > 0 ? (
          <ShareBar
            bare
            label={t('welcome.fleet')}
            shares={figures.map(([field, state, key]) => ({
              key: field,
              label: t(key),
              value: data[field],
              tone: deviceMachine.states[state].tone,
            }))}
          />
        ) : null}
      </div>
    </section>
  );
}

function greeting(hour: number) {
  return hour < 12 ? 'welcome.morning' : hour < 18 ? 'welcome.day' : 'welcome.evening';
}

function Welcome() {
  const t = useT();
  const { user } = useSession();
  const asked = useCall(homeCalls.overview, {}, { every: 30 });
  const begun = asked.data && Object.values(asked.data.has).every(Boolean);
  return (
    <>
      <PageHead title={t(greeting(new Date().getHours()), { name: user?.userName ?? '' })} />
      {asked.error && !asked.data ? <CallFailed part error={asked.error} onRetry={asked.retry} /> : <Fleet data={asked.data} />}
      {asked.data ? <FailingReleases list={asked.data.failing} /> : null}
      {asked.data && !begun ? <Checklist has={asked.data.has} /> : null}
    </>
  );
}

export const welcomePage = page({ Body: Welcome });
