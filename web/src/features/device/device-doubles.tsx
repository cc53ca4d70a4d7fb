import { type DeviceDetail, DOUBLES_SHOWN } from '@mooring/contract/device/schemas';
import { Fragment } from 'react';
import { Link } from '../../kit/link.tsx';
import { useSession } from '../../kit/session.ts';
import { terminalsPath } from '../../kit/terminals-path.ts';
import { Note } from '../../ui/states.tsx';
import { useT } from '../../ui/words.ts';

/** A number that another terminal reports too. */
function Doubles({ row, number }: { row: DeviceDetail; number: 'imei' | 'iccid' }) {
  const t = useT();
  const { platform } = useSession();
  const others = row.doubles.filter((one) => one[number]);
  if (others.length === 0) return null;
  return (
    <Note tone="warn">
      <div>
        {t('device.doubles', { number: t(`device.${number}`) })}{' '}
        {others.slice(0, DOUBLES_SHOWN).map(({ id, sn }, at) => (
          <Fragment key={id}>
            {at > 0 ? ' · ' : null}
            <Link to={`/device/deviceDetail/${id}`}>{sn}</Link>
          </Fragment>
        ))}
        {others.length > DOUBLES_SHOWN ? (
          <>
            {' '}
            <Link to={terminalsPath(platform, { text: row[number] ?? '' })}>{t('device.doubles.more')}</Link>
          </>
        ) : null}
      </div>
      <div>{t('device.doubles.about')}</div>
    </Note>
  );
}

/** Its numbers should be its own: a copied board, a card that moved, a machine that was tampered with. */
export const DeviceDoubles = ({ row }: { row: DeviceDetail }) => (
  <>
    <Doubles row={row} number="imei" />
    <Doubles row={row} number="iccid" />
  </>
);
