import type { Tone } from '@mooring/contract/kit/state-machine';
import { Timeline } from '../../ui/figures.tsx';
import { useFormat, useT } from '../../ui/words.ts';
import { type Record, whoDid } from './parts.ts';

const toneOf = (event: Record['event']): Tone =>
  ['refuse', 'return', 'expire', 'cancelTrial', 'cancelFull'].includes(event)
    ? 'bad'
    : event === 'end'
      ? 'ended'
      : event === 'edit' || event === 'extend'
        ? 'idle'
        : 'good';

/** What was done and said, newest first. */
export function AuditHistory({ records }: { records: readonly Record[] }) {
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
        text: one.comment || undefined,
      }))}
    />
  );
}
