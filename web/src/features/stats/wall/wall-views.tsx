import { deviceMachine } from '@mooring/contract/device/state-machines';
import { codeOf } from '@mooring/contract/kit/state-machine';
import type { OnlineCurve, WallView } from '@mooring/contract/stats/schemas';
import type { ComponentType } from 'react';
import { Progress, ShareBar } from '../../../ui/figures.tsx';
import { Spark } from '../../../ui/spark.tsx';
import { ToneMark } from '../../../ui/status-tag.tsx';
import { type TextKey, useFormat, useLooseT, useT } from '../../../ui/words.ts';
import { Difference } from '../cards/difference.tsx';

const states = ['online', 'offline', 'inactive', 'disabled', 'stocked'] as const;

function FleetView({ view: { fleet, day } }: { view: WallView }) {
  const t = useT();
  const format = useFormat();
  const shares = states.map((state) => ({
    key: state,
    label: t(`life.device.${state}`),
    value: fleet.byStatus[codeOf(deviceMachine, state)] ?? 0,
    tone: deviceMachine.states[state].tone,
  }));
  const inUse = (shares[0]?.value ?? 0) + (shares[1]?.value ?? 0);
  return (
    <div className="m-wall-spread">
      <div className="m-wall-figures">
        <div className="m-wall-figure m-wall-figure-large">
          <b>{format.number(day.now)}</b>
          <span>{t('home.online.now')}</span>
          {inUse > 0 ? <small>{t('home.fleet.share', { share: format.percent(day.now / inUse, 1) })}</small> : null}
        </div>
        {shares.slice(1).map(({ key, label, value, tone }) => (
          <div key={key} className="m-wall-figure">
            <b>{format.number(value)}</b>
            <span className="m-wall-name">
              <ToneMark tone={tone} size={28} />
              <span className="m-clip">{label}</span>
            </span>
          </div>
        ))}
      </div>
      <ShareBar bare label={t('home.fleet')} shares={shares} />
      <div className="m-wall-figures">
        {(['silent', 'battery', 'storage'] as const).map((kind) => (
          <div key={kind} className="m-wall-figure">
            <b>{format.number(fleet.attention[kind])}</b>
            <span>{t(`home.attention.${kind}`)}</span>
          </div>
        ))}
        <div className="m-wall-figure">
          <b>{format.number(fleet.behind)}</b>
          <span>{t('home.attention.behind')}</span>
        </div>
      </div>
    </div>
  );
}

function Curve({ of, title }: { of: OnlineCurve; title: string }) {
  const t = useT();
  const format = useFormat();
  const known = of.points.filter((one) => one.online !== null);
  return (
    <div className="m-wall-curve">
      <h3>{title}</h3>
      <p className="m-wall-lead">
        <b>{of.average === null ? '–' : format.number(of.average)}</b> {t('home.online.average')} ·{' '}
        <Difference now={of.average} before={of.averageBefore} />
      </p>
      {known.length > 1 ? (
        <Spark label={title} lines={[{ tone: 'good', values: known.map((one) => one.online ?? 0) }]} />
      ) : (
        <p>{t('home.online.none')}</p>
      )}
    </div>
  );
}

function OnlineView({ view: { day, month } }: { view: WallView }) {
  const t = useT();
  return (
    <div className="m-wall-halves">
      <Curve of={day} title={t('home.days.1')} />
      <Curve of={month} title={t('home.days.30')} />
    </div>
  );
}

const RELEASES = 3;
function ReleasesView({ view: { releases } }: { view: WallView }) {
  const t = useT();
  const format = useFormat();
  if (releases.list.length === 0) return <p className="m-wall-none">{t('home.releases.none')}</p>;
  return (
    <ul className="m-wall-rows">
      {releases.list.slice(0, RELEASES).map((one) => (
        <li key={one.taskId}>
          <div className="m-wall-row-head">
            <b className="m-clip">{one.name}</b>
            <span className="m-clip">{[one.productName, one.version].filter(Boolean).join(' · ')}</span>
            <b>{format.percent(one.total === 0 ? 0 : one.settled / one.total)}</b>
          </div>
          <Progress label={one.name} share={one.total === 0 ? 0 : one.settled / one.total} tone={one.failed > 0 ? 'bad' : 'good'} note="" />
          {one.curve.length > 1 ? (
            <div className="m-wall-release-curve">
              <Spark
                top={Math.max(1, one.total)}
                label={t('home.releases.curve', { name: one.name, good: format.number(one.succeeded), bad: format.number(one.failed) })}
                lines={[
                  { tone: 'good', values: one.curve.map((point) => point.succeeded) },
                  ...(one.failed > 0 ? [{ tone: 'bad' as const, values: one.curve.map((point) => point.failed) }] : []),
                ]}
              />
            </div>
          ) : null}
          <p>
            {t('home.releases.of', { settled: format.number(one.settled), total: format.number(one.total) })}
            {` · ${t('home.releases.rate', { count: format.number(one.perHour) })}`}
            {one.failed > 0 ? ` · ${t('home.releases.failed', { count: one.failed })}` : ''}
          </p>
        </li>
      ))}
    </ul>
  );
}

const ROWS = 6;
function Bars({ rows, tone }: { rows: readonly { key: string; name: string; count: number; behind?: boolean }[]; tone: 'bad' | 'good' }) {
  const format = useFormat();
  const most = Math.max(1, ...rows.map((one) => one.count));
  return (
    <ul className="m-wall-bars">
      {rows.slice(0, ROWS).map(({ key, name, count, behind }) => (
        <li key={key}>
          <span className="m-clip">{name}</span>
          <span className="m-wall-track" aria-hidden="true">
            <span className={`m-share-${behind ? 'away' : tone}`} style={{ inlineSize: `${(100 * count) / most}%` }} />
          </span>
          <b>{format.number(count)}</b>
        </li>
      ))}
    </ul>
  );
}

function QualityView({ view: { failures, versions } }: { view: WallView }) {
  const t = useT();
  const loose = useLooseT();
  const format = useFormat();
  const product = [...versions.products].sort((a, b) => b.behind - a.behind)[0];
  return (
    <div className="m-wall-halves">
      <div>
        <h3>{t('home.days.7')}</h3>
        {failures.total === 0 ? (
          <p>{t('home.failures.none')}</p>
        ) : (
          <>
            <p className="m-wall-lead">
              {t('home.failures.of', { failed: format.number(failures.total), all: format.number(failures.total + failures.succeeded) })}
            </p>
            <Bars
              tone="bad"
              rows={failures.reasons.map(({ reason, count }) => ({
                key: reason,
                name: reason === 'other' ? t('home.failures.other') : loose(`reason.${reason}`, reason),
                count,
              }))}
            />
          </>
        )}
      </div>
      <div>
        <h3>{product ? product.productName : t('home.versions')}</h3>
        {product ? (
          <>
            <p className="m-wall-lead">
              {product.newest === null
                ? t('home.versions.noPackage')
                : product.behind > 0
                  ? t('home.versions.behind', { count: product.behind })
                  : t('home.versions.current')}
            </p>
            <Bars
              tone="good"
              rows={product.versions.map((one) => ({ key: one.version, name: one.version, count: one.count, behind: one.behind }))}
            />
          </>
        ) : (
          <p>{t('home.versions.none')}</p>
        )}
      </div>
    </div>
  );
}

function AlarmsView({ view: { alarms } }: { view: WallView }) {
  const t = useT();
  const format = useFormat();
  if (!alarms) return null;
  const { open, acknowledged, capped } = alarms;
  if (alarms.newest.length === 0) return <p className="m-wall-none">{t('alarm.empty')}</p>;
  return (
    <div className="m-wall-spread">
      <div className="m-wall-figures">
        <div className="m-wall-figure m-wall-figure-large">
          <b>{format.total(open, capped)}</b>
          <span className="m-wall-name">
            <ToneMark tone={open > 0 ? 'bad' : 'idle'} size={28} />
            <span>{t('alarm.card.open')}</span>
          </span>
        </div>
        <div className="m-wall-figure">
          <b>{format.total(acknowledged, capped)}</b>
          <span>{t('alarm.card.acknowledged')}</span>
        </div>
      </div>
      <ul className="m-wall-alarms">
        {alarms.newest.map(({ id, label, kind, about, openedAt }) => (
          <li key={id}>
            <b className="m-clip">{label}</b>
            <span className="m-clip">{t(`alert.what.${kind}`, about)}</span>
            <span>{format.ago(String(openedAt))}</span>
          </li>
        ))}
      </ul>
    </div>
  );
}

/** The pictures of the wall, in the order in which they turn. */
const all: readonly { readonly title: TextKey; readonly Body: ComponentType<{ view: WallView }> }[] = [
  { title: 'home.fleet', Body: FleetView },
  { title: 'alarm.title', Body: AlarmsView },
  { title: 'home.online', Body: OnlineView },
  { title: 'home.releases', Body: ReleasesView },
  { title: 'wall.quality', Body: QualityView },
];
/** Those for which it has something to show. */
export const wallViews = (view: WallView | undefined) => all.filter(({ Body }) => Body !== AlarmsView || view?.alarms);
