import { resultMachine } from '@mooring/contract/engines/rollout/state-machines';
import { StateTag } from '../../kit/state-tag.tsx';
import { ScrollRegion } from '../../ui/scroll-region.tsx';
import { Empty } from '../../ui/states.tsx';
import { useFormat, useT } from '../../ui/words.ts';
import type { Devices } from './parts.ts';

/** Terminals that it is for, in the range of whoever looks. */
export function AuditDevices({ devices }: { devices: Devices }) {
  const t = useT();
  const format = useFormat();
  const { taskAuditDeviceVoList: shown, productList, invalidDeviceList: invalid, total, invalidTotal } = devices;
  const first = (listed: number, count: number) => t('approval.device.first', { shown: listed, count: format.number(count) });
  if (shown.length === 0 && invalid.length === 0) return <Empty title={t('approval.device.none')} />;
  return (
    <div className="m-stack">
      <p className="m-muted">
        {productList.map((one) => `${one.productName}: ${t('approval.device.total', { count: one.count })}`).join(' · ')}
        {total > shown.length ? ` · ${first(shown.length, total)}` : ''}
      </p>
      <ScrollRegion className="m-panel m-panel-body m-scroll" label={t('approval.devices')}>
        <table className="m-plain-table">
          <thead>
            <tr>
              <th scope="col">{t('approval.device.sn')}</th>
              <th scope="col">{t('approval.dept')}</th>
              <th scope="col">{t('approval.device.version')}</th>
              <th scope="col">{t('approval.device.ring')}</th>
              <th scope="col">{t('approval.device.state')}</th>
            </tr>
          </thead>
          <tbody>
            {shown.map((one) => (
              <tr key={one.id}>
                <th scope="row">
                  <span className="m-mono">{one.sn}</span>
                </th>
                <td>{one.deptName}</td>
                <td>{one.version ?? '–'}</td>
                <td>{format.number(one.ring)}</td>
                <td>{one.state ? <StateTag machine={resultMachine} code={one.state} /> : '–'}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </ScrollRegion>
      {invalid.length > 0 ? (
        <section className="m-stack-tight" aria-label={t('approval.device.invalid')}>
          <h2>{t('approval.device.invalid')}</h2>
          {invalidTotal > invalid.length ? <p className="m-muted">{first(invalid.length, invalidTotal)}</p> : null}
          <ul>
            {invalid.map((one) => (
              <li key={one.sn}>
                <span className="m-mono">{one.sn}</span> – {t(one.reason === 'out' ? 'approval.invalid.out' : 'approval.invalid.unknown')}
              </li>
            ))}
          </ul>
        </section>
      ) : null}
    </div>
  );
}
