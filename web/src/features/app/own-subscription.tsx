import { appSubscriptionMachine } from '@mooring/contract/app/state-machines';
import { appSubscriptionCalls } from '@mooring/contract/app/subscription';
import { useState } from 'react';
import { Link } from '../../kit/link.tsx';
import { useCall } from '../../kit/queries.ts';
import { mayCall } from '../../kit/session.ts';
import { StateTag } from '../../kit/state-tag.tsx';
import { Button } from '../../ui/button.tsx';
import { Note } from '../../ui/states.tsx';
import { useFormat, useT } from '../../ui/words.ts';
import { subscriptionPath } from './paths.ts';
import { Subscribe } from './subscription-dialogs.tsx';

interface App {
  readonly id: number;
  readonly name: string;
  readonly own: boolean;
  readonly subscribable: boolean;
  readonly blocked: boolean;
}

const isOpen = ({ state }: { state: string }) => state === 'asked' || state === 'active';
/**
 * The one of the reader's organisation itself that holds or is asked for, or else its newest: null where it has none, undefined before that is known.
 * After a merge what ended may be newer than what holds.
 */
function useOwnSubscription({ id, own }: App) {
  const { data } = useCall(
    appSubscriptionCalls.page,
    { criteria: { appId: id, mine: true }, page: { size: 50 } },
    { enabled: !own && mayCall(appSubscriptionCalls.page) },
  );
  return data === undefined ? undefined : (data.content.find(isOpen) ?? data.content[0] ?? null);
}

/** How far it has come, with the way to it. */
export function OwnSubscription({ row }: { row: App }) {
  const t = useT();
  const format = useFormat();
  const mine = useOwnSubscription(row);
  return (
    <>
      {row.blocked ? (
        <Note tone="warn">
          {t('fault.SUBSCRIPTION_BLOCKED')}
          {mine?.reason ? <div>{t('appSubscription.blocked.why', { reason: mine.reason })}</div> : null}
        </Note>
      ) : null}
      {mine?.state === 'active' && mine.validity === '1' && mine.validUntil !== null && !row.blocked ? (
        <Note tone="warn" action={<Link to={subscriptionPath(mine)}>{t('appSubscription.renew')}</Link>}>
          {t('appSubscription.over', { until: format.moment(mine.validUntil, 'date', 'UTC'), owner: mine.ownerName })}
        </Note>
      ) : null}
      {mine ? (
        <p className="m-row">
          <Link to={subscriptionPath(mine)}>{t('appSubscription.mine')}</Link>
          <StateTag machine={appSubscriptionMachine} code={mine.state} />
        </p>
      ) : null}
    </>
  );
}

/** For who may, and has none that holds or is asked for. */
export function SubscribeHere({ row }: { row: App }) {
  const t = useT();
  const [open, setOpen] = useState(false);
  const mine = useOwnSubscription(row);
  const isOffered = row.subscribable && mine !== undefined && !(mine && isOpen(mine)) && mayCall(appSubscriptionCalls.add);
  return (
    <>
      {isOffered ? (
        <Button look="primary" icon="subscription" onClick={() => setOpen(true)}>
          {t('appSubscription.subscribe')}
        </Button>
      ) : null}
      {open ? <Subscribe app={row} onClose={() => setOpen(false)} /> : null}
    </>
  );
}
