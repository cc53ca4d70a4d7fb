import { boxOfCell } from '@mooring/contract/device/map/area';
import { type Box, type FailureSquare, mapCalls } from '@mooring/contract/device/map/map-calls';
import { useMemo } from 'react';
import { CallFailed } from '../../../kit/dead-end.tsx';
import { written } from '../../../kit/map-marks.ts';
import { useCall } from '../../../kit/queries.ts';
import { Button, IconButton } from '../../../ui/button.tsx';
import { RadioGroup, Select } from '../../../ui/controls.tsx';
import { Stat } from '../../../ui/figures.tsx';
import { heatCover, type MapArea } from '../../../ui/map/areas.ts';
import type { MapView } from '../../../ui/map/map-canvas.tsx';
import { useCountry } from '../../../ui/map/use-country.ts';
import { ScrollRegion } from '../../../ui/scroll-region.tsx';
import { Bone, Empty, Note } from '../../../ui/states.tsx';
import { useFormat, useLooseT, useT } from '../../../ui/words.ts';
import type { useMapAddress } from './use-map-address.ts';

type Address = ReturnType<typeof useMapAddress>;
const WHOLE = { south: -85, west: -180, north: 85, east: 180 };
const EVERY_SECONDS = 60;
const [ROWS, REASONS] = [100, 3];
const nothing: readonly FailureSquare[] = [];

/** Where each shade ends: each holds as many times more than the one before. */
const endsOf = (most: number) => heatCover.map((_, at) => Math.max(at + 1, Math.round((most + 1) ** ((at + 1) / heatCover.length) - 1)));
const shadeOf = (count: number, ends: readonly number[]) =>
  1 +
  Math.max(
    0,
    ends.findIndex((end) => count <= end),
  );

export function useFailures({ isOfFailures, chosen, days, active, cell }: Address, view: MapView | undefined) {
  const format = useFormat();
  const { below, productId } = chosen;
  const asked = useCall(
    mapCalls.failures,
    {
      criteria: { ...(below === undefined ? {} : { below }), ...(productId === undefined ? {} : { productId }) },
      days,
      box: view?.box ?? WHOLE,
      zoom: Math.max(0, view?.zoom ?? 1),
    },
    { keep: true, every: EVERY_SECONDS, enabled: isOfFailures && active },
  );
  const squares = isOfFailures ? (asked.data?.squares ?? nothing) : nothing;
  const ends = useMemo(() => endsOf(squares[0]?.count ?? 0), [squares]);
  const areas = useMemo(
    () =>
      squares.flatMap(({ cell: key, count }): MapArea[] => {
        const box = boxOfCell(key);
        if (!box) return [];
        const { south, west, north, east } = box;
        const corners = [
          [south, west],
          [north, west],
          [north, east],
          [south, east],
        ] as const;
        return [{ key, label: format.count(count, 'short'), corners, look: 'heat', shade: shadeOf(count, ends), picked: key === cell }];
      }),
    [squares, ends, format, cell],
  );
  return { asked, squares, ends, areas };
}
type Failures = ReturnType<typeof useFailures>;

/** What the map shows, and of which days. */
export function FailureView({ address }: { address: Address }) {
  const t = useT();
  return (
    <>
      <div className="m-map-show">
        <RadioGroup
          label={t('map.show')}
          value={address.isOfFailures ? 'failures' : 'terminals'}
          onChange={address.show}
          options={(['terminals', 'failures'] as const).map((value) => ({ value, label: t(`map.show.${value}`) }))}
        />
      </div>
      {address.isOfFailures ? (
        <Select
          label={t('map.failed.days')}
          width={150}
          value={address.days}
          onChange={(days = '7') => address.showDays(days)}
          options={(['1', '7', '30'] as const).map((value) => ({ value, label: t(`map.failed.days.${value}`) }))}
        />
      ) : null}
    </>
  );
}

function Shades({ ends }: { ends: readonly number[] }) {
  const format = useFormat();
  const t = useT();
  const shades = ends
    .map((end, at) => ({ end, least: (ends[at - 1] ?? 0) + 1, cover: heatCover[at] }))
    .filter(({ least, end }) => least <= end);
  return (
    <section className="m-row m-row-wrap m-small" aria-label={t('map.show.failures')}>
      {shades.map(({ least, end, cover }) => (
        <span key={cover} className="m-row">
          <span className="m-map-shade" aria-hidden="true" style={{ opacity: Number.parseInt(cover ?? 'ff', 16) / 255 }} />
          {least === end ? format.number(end) : `${format.number(least)}–${format.number(end)}`}
        </span>
      ))}
    </section>
  );
}

function Reasons({ of }: { of: FailureSquare }) {
  const t = useT();
  const loose = useLooseT();
  const format = useFormat();
  const nameOf = ({ source, reason }: FailureSquare['reasons'][number]) =>
    source === 'alarm'
      ? loose(`alert.kind.${reason}`, reason)
      : reason === 'other'
        ? t('home.failures.other')
        : loose(`reason.${reason}`, reason);
  const said = of.reasons.map((one) => ({
    key: `${one.source} ${one.reason}`,
    text: t('map.failed.reason', { reason: `${t(`map.failed.source.${one.source}`)} · ${nameOf(one)}`, count: format.number(one.n) }),
  }));
  return (
    <ul className="m-plain-list m-small" title={said.map(({ text }) => text).join('\n')}>
      {said.slice(0, REASONS).map(({ key, text }) => (
        <li key={key}>{text}</li>
      ))}
    </ul>
  );
}

interface SideProps {
  readonly of: Failures;
  readonly address: Address;
  readonly mayList: boolean;
  readonly onZoom: (box: Box) => void;
}
/** What is drawn, as a table: for whoever works without a mouse. */
export function FailureSide({ of: { asked, squares, ends }, address, mayList, onZoom }: SideProps) {
  const t = useT();
  const format = useFormat();
  const country = useCountry();
  if (asked.error && !asked.data) return <CallFailed part error={asked.error} onRetry={asked.retry} />;
  if (!asked.data) return <Bone height={160} />;
  if (squares.length === 0) return <Empty icon="done" title={t('map.failed.none')} text={t('map.failed.none.text')} />;
  return (
    <>
      <Stat label={t('map.failed.inView')} value={format.number(asked.data.total)} />
      <p className="m-small m-muted">{t('map.failed.about')}</p>
      <Shades ends={ends} />
      <ScrollRegion className="m-scroll" label={t('map.failed.inView')}>
        <table className="m-plain-table">
          <thead>
            <tr>
              <th scope="col">{`${t('map.place')} · ${t('map.failed.what')}`}</th>
              <th scope="col" className="m-num">
                {t('map.show.failures')}
              </th>
              {mayList ? <th scope="col">{t('kit.table.acts')}</th> : null}
            </tr>
          </thead>
          <tbody>
            {squares.slice(0, ROWS).map((one) => {
              const box = boxOfCell(one.cell);
              if (!box) return null;
              const [lat, lon] = [(box.south + box.north) / 2, (box.west + box.east) / 2];
              const at = [country(lat, lon), format.straight(written(lat, lon))].filter(Boolean).join(' ');
              return (
                <tr key={one.cell}>
                  <td>
                    <Button look="quiet" small of={t('map.zoomTo', { at })} onClick={() => onZoom(box)}>
                      {at}
                    </Button>
                    <Reasons of={one} />
                  </td>
                  <td className="m-num">{format.number(one.count)}</td>
                  {mayList ? (
                    <td>
                      <IconButton
                        small
                        icon="tasks"
                        label={t('map.failed.list', { at })}
                        onClick={() => address.list({ cell: one.cell, failed: address.days })}
                      />
                    </td>
                  ) : null}
                </tr>
              );
            })}
          </tbody>
        </table>
        {squares.length > ROWS ? <Note tone="info">{t('map.places.more', { count: squares.length - ROWS })}</Note> : null}
      </ScrollRegion>
    </>
  );
}
