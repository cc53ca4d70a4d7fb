import type { Tone } from '@mooring/contract/kit/state-machine';
import { AttachedFiles } from '../../kit/upload/attached-files.tsx';
import { Timeline } from '../../ui/figures.tsx';
import { useFormat, useT } from '../../ui/words.ts';
import { type Kept, type Record, whoDid } from './parts.ts';

const toneOf = (event: Record['event']): Tone =>
  ['refuse', 'return', 'expire', 'cancelTrial', 'cancelFull'].includes(event)
    ? 'bad'
    : event === 'end'
      ? 'ended'
      : event === 'edit' || event === 'extend'
        ? 'idle'
        : 'good';

/** What was done, said and given, newest first. */
export function AuditHistory({ records, open }: { records: readonly Record[]; open?: (file: Kept) => void }) {
  const t = useT();
  const format = useFormat();
  const wordsOf = ({ event, dueAt }: Record) => {
    const words = t(`event.approval.${event}`);
    return dueAt ? t('approval.extendedTo', { event: words, at: format.moment(dueAt) }) : words;
  };
  return (
    <Timeline
      entries={records.toReversed().map((one) => ({
        key: one.id,
        at: one.at,
        tone: toneOf(one.event),
        title: `${[wordsOf(one), whoDid(t, one)].filter(Boolean).join(' · ')}${one.way === 'email' ? ` (${t('approval.byMail')})` : ''}`,
        text:
          one.comment === '' && one.files.length === 0 ? undefined : (
            <div className="m-stack-tight">
              {one.comment === '' ? null : <div>{one.comment}</div>}
              <AttachedFiles files={one.files} {...(open ? { open } : {})} />
            </div>
          ),
      }))}
    />
  );
}
