import { Attention, LOW_BATTERY, LOW_STORAGE, SILENT_DAYS } from '@mooring/contract/device/attention';
import { deviceCalls } from '@mooring/contract/device/calls';
import { homeCalls } from '@mooring/contract/stats/calls';
import type { Fleet } from '@mooring/contract/stats/schemas';
import { Link } from '../../../kit/link.tsx';
import { Offer } from '../../../kit/offer.tsx';
import { useCall } from '../../../kit/queries.ts';
import { useSession } from '../../../kit/session.ts';
import { Icon, type IconName } from '../../../ui/icon.tsx';
import { Empty, Note } from '../../../ui/states.tsx';
import { useFormat, useT } from '../../../ui/words.ts';
import { type Asked, listOf } from '../use-asked.ts';
import { Answered, Card } from './card.tsx';

type Kind = Attention | 'behind';
const kinds: readonly Kind[] = [...Attention.options, 'behind'];
const icons: Readonly<Record<Kind, IconName>> = { silent: 'clock', battery: 'reboot', storage: 'inbox', behind: 'upgrade' };
const countOf = (fleet: Fleet, kind: Kind) => (kind === 'behind' ? fleet.behind : fleet.attention[kind]);

/** Terminals that somebody should look at, each kind with its list one click away. */
export function AttentionCard({ asked: { where } }: { asked: Asked }) {
  const t = useT();
  const format = useFormat();
  const { platform } = useSession();
  const asked = useCall(homeCalls.fleet, where, { every: 30, keep: true });
  const about: Readonly<Record<Kind, string>> = {
    silent: t('home.attention.silent.about', { days: SILENT_DAYS }),
    battery: t('home.attention.battery.about', { percent: format.percent(LOW_BATTERY / 100) }),
    storage: t('home.attention.storage.about', { percent: format.percent(LOW_STORAGE / 100) }),
    behind: t('home.attention.behind.about'),
  };
  return (
    <Card title={t('home.attention')}>
      <Answered of={asked} height={160}>
        {(fleet) =>
          fleet.total === 0 ? (
            <Empty icon="device" title={t('home.noTerminals')} text={t('home.noTerminals.text')} />
          ) : kinds.every((kind) => countOf(fleet, kind) === 0) ? (
            <Empty
              icon={fleet.looking ? 'clock' : 'done'}
              title={t(fleet.looking ? 'home.attention.looking' : 'home.attention.none')}
              text={t(fleet.looking ? 'home.attention.looking.text' : 'home.attention.none.text')}
            >
              <Offer call={deviceCalls.page} to={listOf(platform, where)}>
                {t('home.terminals.open')}
              </Offer>
            </Empty>
          ) : (
            <>
              <ul className="m-home-rows">
                {kinds.map((kind) => (
                  <li key={kind}>
                    <Link to={listOf(platform, where, kind === 'behind' ? { behind: 'true' } : { attention: kind })} className="m-home-row">
                      <Icon name={icons[kind]} />
                      <span className="m-grow m-stack-none">
                        <span>{t(`home.attention.${kind}`)}</span>
                        <span className="m-small m-muted">{about[kind]}</span>
                      </span>
                      <b className="m-num">{format.number(countOf(fleet, kind))}</b>
                    </Link>
                  </li>
                ))}
              </ul>
              {fleet.looking ? (
                <Note tone="info">
                  {t('home.attention.looking')}. {t('home.attention.looking.text')}
                </Note>
              ) : null}
            </>
          )
        }
      </Answered>
    </Card>
  );
}
