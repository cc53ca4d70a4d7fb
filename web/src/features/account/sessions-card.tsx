import { sessionCalls } from '@mooring/contract/account/own-calls';
import { CallFailed } from '../../kit/dead-end.tsx';
import { programOf } from '../../kit/program.ts';
import { useAct, useCall } from '../../kit/queries.ts';
import { Button } from '../../ui/button.tsx';
import { PageSkeleton } from '../../ui/states.tsx';
import { Tag } from '../../ui/status-tag.tsx';
import { useFormat, useT } from '../../ui/words.ts';
import { Card, Line } from './card.tsx';

export function SessionsCard() {
  const t = useT();
  const format = useFormat();
  const { data, error, retry } = useCall(sessionCalls.list, {}, { every: 60 });
  const end = useAct(sessionCalls.end, { successText: 'account.sessions.ended' });
  const endOthers = useAct(sessionCalls.endOthers, { successText: 'account.sessions.ended' });
  return (
    <Card
      title="account.sessions"
      text="account.sessions.text"
      acts={
        data && data.length > 1 ? (
          <Button busy={endOthers.busy} onClick={() => endOthers.run({})}>
            {t('account.sessions.endOthers')}
          </Button>
        ) : null
      }
    >
      {error && !data ? <CallFailed part error={error} onRetry={retry} /> : null}
      {!data && !error ? <PageSkeleton /> : null}
      <ul className="m-plain-list">
        {data?.map((one) => (
          <Line
            key={one.id}
            name={
              <span className="m-row m-row-wrap">
                <span title={one.agent}>{programOf(one.agent) ?? t('account.sessions.unknown')}</span>
                <Tag>{t(`platform.${one.platform}`)}</Tag>
                {one.own ? <Tag tone="accent">{t('account.sessions.own')}</Tag> : null}
              </span>
            }
            value={`${one.ip} · ${t('account.sessions.seen', { at: format.ago(one.seenAt) })}`}
          >
            {one.own ? null : (
              <Button
                small
                of={`${programOf(one.agent) ?? t('account.sessions.unknown')}, ${one.ip}`}
                busy={end.busy}
                onClick={() => end.run({ id: one.id })}
              >
                {t('account.sessions.end')}
              </Button>
            )}
          </Line>
        ))}
      </ul>
    </Card>
  );
}
