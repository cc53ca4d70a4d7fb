import { deviceCalls } from '@mooring/contract/device/calls';
import type { Cluster, PlacedTerminal } from '@mooring/contract/device/map/map-calls';
import { deviceMachine } from '@mooring/contract/device/state-machines';
import { Link } from '../../../kit/link.tsx';
import { type Seen, statesOf, written } from '../../../kit/map-marks.ts';
import { mayCall } from '../../../kit/session.ts';
import { StateTag, toneOf, useStateName } from '../../../kit/state-tag.tsx';
import { Button, IconButton } from '../../../ui/button.tsx';
import { useCountry } from '../../../ui/map/use-country.ts';
import { ScrollRegion } from '../../../ui/scroll-region.tsx';
import { Empty, Note } from '../../../ui/states.tsx';
import { ToneMark } from '../../../ui/status-tag.tsx';
import { useFormat, useLooseT, useT } from '../../../ui/words.ts';

const ROWS = 100;

/** How many in which state, by colour, shape and word. */
function States({ of }: { of: Pick<Cluster, 'byStatus'> }) {
  const format = useFormat();
  const name = useStateName();
  return (
    <span className="m-row m-row-wrap">
      {statesOf(of).map(({ code, n }) => (
        <span key={code} className="m-status" title={name(deviceMachine, code)}>
          <ToneMark tone={toneOf(deviceMachine, code)} />
          {format.number(n)}
          <span className="m-hidden">{name(deviceMachine, code)}</span>
        </span>
      ))}
    </span>
  );
}

export function TerminalLine({ of }: { of: PlacedTerminal }) {
  const loose = useLooseT();
  const isAssumed = of.source === 'shop' || of.source === 'merchant';
  return (
    <>
      {mayCall(deviceCalls.detail) ? (
        <Link to={`/device/deviceDetail/${of.id}`}>
          <span className="m-mono">{of.sn}</span>
        </Link>
      ) : (
        <span className="m-mono">{of.sn}</span>
      )}{' '}
      {isAssumed ? <span className="m-small m-muted">{loose(`position.source.${of.source}`, of.source)}</span> : null}
    </>
  );
}

interface PlacesProps {
  readonly seen: Seen;
  readonly onZoom: (cluster: Cluster) => void;
  readonly onList: (cluster: Cluster) => void;
}

/** What the map shows, as a table: for whoever works without a mouse, or doesn’t see it. */
export function Places({ seen, onZoom, onList }: PlacesProps) {
  const t = useT();
  const format = useFormat();
  const country = useCountry();
  const { clusters, terminals } = seen;
  if (clusters.length + terminals.length === 0) return <Empty icon="map" title={t('map.nothing')} text={t('map.nothingText')} />;
  return (
    <ScrollRegion className="m-scroll" label={t('map.places')}>
      <table className="m-plain-table">
        <caption className="m-hidden">{t('map.places')}</caption>
        <thead>
          <tr>
            <th scope="col">{terminals.length > 0 ? t('device.sn') : t('map.place')}</th>
            {clusters.length > 0 ? (
              <th scope="col" className="m-num">
                {t('map.count')}
              </th>
            ) : null}
            <th scope="col">{clusters.length > 0 ? t('map.states') : t('device.status')}</th>
            {clusters.length > 0 ? <th scope="col">{t('kit.table.acts')}</th> : null}
          </tr>
        </thead>
        <tbody>
          {clusters.slice(0, ROWS).map((one) => {
            const spot = format.straight(written(one.lat, one.lon));
            const land = country(one.lat, one.lon);
            const at = land ? `${land} ${spot}` : spot;
            return (
              <tr key={one.cell}>
                <td>
                  <Button look="quiet" small of={t('map.zoomTo', { at })} onClick={() => onZoom(one)}>
                    {land ? (
                      <>
                        {land} <span className="m-small m-muted">{spot}</span>
                      </>
                    ) : (
                      spot
                    )}
                  </Button>
                </td>
                <td className="m-num">{format.number(one.count)}</td>
                <td>
                  <States of={one} />
                </td>
                <td>
                  <IconButton small icon="tasks" label={t('map.listOf', { count: one.count, at })} onClick={() => onList(one)} />
                </td>
              </tr>
            );
          })}
          {terminals.map((one) => (
            <tr key={one.id}>
              <td>
                <TerminalLine of={one} />
              </td>
              <td>
                <StateTag machine={deviceMachine} code={one.status} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      {clusters.length > ROWS ? <Note tone="info">{t('map.places.more', { count: clusters.length - ROWS })}</Note> : null}
    </ScrollRegion>
  );
}
