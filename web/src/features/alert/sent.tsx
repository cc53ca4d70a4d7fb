import { type AlarmReceiver, alarmReceiverCalls } from '@mooring/contract/alert/receiver';
import type { RowOf } from '@mooring/contract/kit/entity';
import { webhookMachine } from '@mooring/contract/settings/state-machines';
import { CallFailed } from '../../kit/dead-end.tsx';
import { useProblemWords } from '../../kit/parts/webhook-words.tsx';
import { useCall } from '../../kit/queries.ts';
import { StateTag, toneOf } from '../../kit/state-tag.tsx';
import { Drawer } from '../../ui/dialog.tsx';
import { Timeline } from '../../ui/figures.tsx';
import { Bone, Empty, Loading } from '../../ui/states.tsx';
import { useFormat, useLooseT, useT } from '../../ui/words.ts';

/** What went to the address of a list, and what it answered. */
export function Sent({ row, onClose }: { row: RowOf<typeof AlarmReceiver>; onClose: () => void }) {
  const t = useT();
  const loose = useLooseT();
  const problem = useProblemWords();
  const format = useFormat();
  const asked = useCall(alarmReceiverCalls.sent, { id: row.id }, { keep: true });
  const answered = (status: number | null, tookMs: number | null) =>
    status === null ? [] : [`${t('settings.webhook.status')} ${status}`, ...(tookMs === null ? [] : [`${format.number(tookMs)} ms`])];
  return (
    <Drawer open title={`${row.name} · ${t('alarmReceiver.sent')}`} onClose={onClose} width={560}>
      {asked.error ? <CallFailed part error={asked.error} onRetry={asked.retry} /> : null}
      {asked.data || asked.error ? null : (
        <Loading>
          <Bone height={240} />
        </Loading>
      )}
      {asked.data?.length === 0 ? <Empty icon="inbox" title={t('alarmReceiver.sent.none')} /> : null}
      {asked.data ? (
        <Timeline
          entries={asked.data.map(({ id, event, state, attempts, status, error, tookMs, nextAt, createdAt }) => ({
            key: id,
            at: createdAt,
            tone: toneOf(webhookMachine, state),
            title: (
              <span className="m-row m-row-wrap">
                {loose(`alarmReceiver.sent.${event.replace('alarm.', '')}`, event)}
                <StateTag machine={webhookMachine} code={state} />
              </span>
            ),
            text: [
              ...answered(status, tookMs),
              ...(error === null ? [] : [problem(error)]),
              ...(attempts > 1 ? [`${t('settings.out.attempts')} ${attempts}`] : []),
              ...(nextAt === null ? [] : [`${t('settings.webhook.nextAt')} ${format.moment(nextAt)}`]),
            ].join(' · '),
          }))}
        />
      ) : null}
    </Drawer>
  );
}
