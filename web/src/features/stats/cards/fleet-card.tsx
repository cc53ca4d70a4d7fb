import { regCalls } from '@mooring/contract/device/reg-calls';
import { deviceMachine } from '@mooring/contract/device/state-machines';
import { codeOf } from '@mooring/contract/kit/state-machine';
import { homeCalls } from '@mooring/contract/stats/calls';
import { linkTo } from '../../../kit/link.tsx';
import { Offer } from '../../../kit/offer.tsx';
import { useCall } from '../../../kit/queries.ts';
import { useSession } from '../../../kit/session.ts';
import { Button } from '../../../ui/button.tsx';
import { ShareBar, Stat } from '../../../ui/figures.tsx';
import { Empty } from '../../../ui/states.tsx';
import { useFormat, useT } from '../../../ui/words.ts';
import { type Asked, listOf } from '../use-asked.ts';
import { Answered, Card } from './card.tsx';

const states = ['online', 'offline', 'inactive', 'disabled', 'stocked'] as const;

/** How many terminals there are, and in which state: each figure is its list. */
export function FleetCard({ asked: { where, everywhere } }: { asked: Asked }) {
  const t = useT();
  const format = useFormat();
  const { platform } = useSession();
  const asked = useCall(homeCalls.fleet, where, { every: 30, keep: true });
  const shares = states.map((state) => ({
    key: state,
    label: t(`life.device.${state}`),
    value: asked.data?.byStatus[codeOf(deviceMachine, state)] ?? 0,
    tone: deviceMachine.states[state].tone,
  }));
  const [online, offline] = [shares[0]?.value ?? 0, shares[1]?.value ?? 0];
  const note =
    online + offline > 0 ? (
      <span className="m-muted">{t('home.fleet.share', { share: format.percent(online / (online + offline), 1) })}</span>
    ) : null;
  return (
    <Card title={t('home.fleet')} note={note}>
      <Answered of={asked} height={110}>
        {({ total }) =>
          total === 0 ? (
            <Empty icon="device" title={t('home.noTerminals')} text={t('home.noTerminals.text')}>
              {Object.keys(where).length > 0 ? (
                <Button onClick={everywhere}>{t('home.where.clear')}</Button>
              ) : (
                <Offer call={regCalls.code} to="/regDevice?tab=codes">
                  {t('home.terminals.enrol')}
                </Offer>
              )}
            </Empty>
          ) : (
            <div className="m-panel-body m-stack">
              <div className="m-stats">
                <Stat label={t('home.fleet.total')} value={format.number(total)} {...linkTo(listOf(platform, where))} />
                {shares.map(({ key, label, value, tone }) => (
                  <Stat
                    key={key}
                    label={label}
                    tone={tone}
                    value={format.number(value)}
                    {...linkTo(listOf(platform, where, { status: codeOf(deviceMachine, key) }))}
                  />
                ))}
              </div>
              <ShareBar bare label={t('home.fleet')} shares={shares} />
            </div>
          )
        }
      </Answered>
    </Card>
  );
}
