import type { TaskDeviceCalls } from '@mooring/contract/engines/rollout/task-calls';
import { CallFailed } from '../../kit/dead-end.tsx';
import type { RowOf } from '../../kit/list/types.ts';
import { useCall } from '../../kit/queries.ts';
import { Advice, Why } from '../../kit/why.tsx';
import { CopyText } from '../../ui/copy-text.tsx';
import { Drawer } from '../../ui/dialog.tsx';
import { Timeline } from '../../ui/figures.tsx';
import { Bone, Empty } from '../../ui/states.tsx';
import { useFormat, useLooseT, useT } from '../../ui/words.ts';
import { useKind } from './kind-context.tsx';

/** Each sending of one device, newest first, with the digest that the terminal computed. */
interface Props {
  row: RowOf<TaskDeviceCalls['page']>;
  onClose: () => void;
}
export function Attempts({ row, onClose }: Props) {
  const t = useT();
  const loose = useLooseT();
  const format = useFormat();
  const { calls, content } = useKind();
  const { devices, differences } = calls;
  const { data, error, retry } = useCall(devices.attempts, { id: row.id });
  const outcome = (one: { outcome: string | null; reason: string | null }) =>
    one.outcome === null
      ? t('firmware.attempts.none')
      : one.outcome === 'success'
        ? t('firmware.attempts.success')
        : `${t('firmware.attempts.failure')}: ${loose(`reason.${one.reason}`, one.reason ?? '')}`;
  const sent = (size: number, full: number | null) =>
    full === null
      ? t('firmware.attempts.full', { size: format.size(size) })
      : t('firmware.attempts.delta', { size: format.size(size), full: format.size(full) });
  return (
    <Drawer open title={`${row.sn} · ${t('firmware.attempts.title')}`} onClose={onClose}>
      <p className="m-row m-row-wrap">
        <Why row={row} set={content !== undefined} />
        <Advice row={row} />
      </p>
      {error ? <CallFailed part error={error} onRetry={retry} /> : null}
      {!data && !error ? <Bone height={120} /> : null}
      {data?.length === 0 ? <Empty title={t('firmware.attempts.none')} /> : null}
      {data && data.length > 0 ? (
        <Timeline
          entries={data.map((one) => ({
            key: one.no,
            at: String(one.sentAt),
            tone: one.outcome === 'success' ? 'good' : one.outcome === 'failure' ? 'bad' : 'busy',
            title: `${one.no}. ${outcome(one)}${one.late ? ` (${t('firmware.attempts.late')})` : ''}`,
            text: (
              <div className="m-stack-tight">
                {one.message ? <span>{one.message}</span> : null}
                {differences && one.size !== null ? <span>{sent(one.size, one.fullSize)}</span> : null}
                {one.endedAt ? <span>{format.moment(String(one.endedAt), 'second')}</span> : null}
                {one.sha256 ? (
                  <span className="m-row">
                    <span className="m-muted">{t('firmware.attempts.sha256')}</span>
                    <CopyText text={one.sha256} short={12} />
                  </span>
                ) : null}
              </div>
            ),
          }))}
        />
      ) : null}
    </Drawer>
  );
}
