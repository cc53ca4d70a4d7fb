import { geofenceCalls } from '@mooring/contract/geofence/geofence';
import { CallFailed } from '../../kit/dead-end.tsx';
import { Link } from '../../kit/link.tsx';
import { useCall } from '../../kit/queries.ts';
import { Bone, Empty } from '../../ui/states.tsx';
import { Tag } from '../../ui/status-tag.tsx';
import { useFormat, useT } from '../../ui/words.ts';
import { fencePath } from './fence-path.ts';

const tones = { inside: 'info', outside: 'warn', unknown: 'plain' } as const;

/** In which fences a terminal stands. */
export function FencesOfDevice({ row }: { row: { readonly id: number } }) {
  const t = useT();
  const format = useFormat();
  const asked = useCall(geofenceCalls.ofDevice, { deviceId: row.id }, { every: 30 });
  if (asked.error && !asked.data) return <CallFailed part error={asked.error} onRetry={asked.retry} />;
  if (!asked.data) return <Bone height={120} />;
  if (asked.data.length === 0) return <Empty icon="map" title={t('geofence.ofDevice.none')} text={t('geofence.ofDevice.noneText')} />;
  return (
    <ul className="m-plain-list m-stack-tight m-narrow-list">
      {asked.data.map((one) => (
        <li key={one.id} className="m-row m-row-wrap">
          <span className="m-grow">
            <Link to={fencePath(one.id)}>{one.name}</Link>
          </span>
          <Tag tone={tones[one.stands]}>{t(`geofence.stands.${one.stands}`)}</Tag>
          {one.since ? <span className="m-muted m-small">{format.moment(String(one.since))}</span> : null}
        </li>
      ))}
    </ul>
  );
}
