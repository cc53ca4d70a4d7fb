import type { TaskCalls, TaskDetail } from '@mooring/contract/engines/rollout/task-calls';
import type { Tone } from '@mooring/contract/kit/state-machine';
import { useState } from 'react';
import { rowAction } from '../../kit/list/types.ts';
import { Button } from '../../ui/button.tsx';
import { ScrollRegion } from '../../ui/scroll-region.tsx';
import { StatusTag } from '../../ui/status-tag.tsx';
import { t, useFormat, useT } from '../../ui/words.ts';
import { mayRevertRing } from './revert-task.tsx';
import { useRingGates } from './ring-rules.tsx';
import { countsOf, TaskProgress } from './task-progress.tsx';
import { WayBack } from './way-back.tsx';
import './rings.css';

/** What opening the next ring means, by what the open one stands at. */
function aboutOpening({ rings, openRing: no }: TaskDetail): string {
  const [open, next] = [rings[no - 1], rings[no]];
  if (!open || !next) return '';
  const { good, bad, other } = countsOf(open.tally);
  const at = (['asking', 'empty', 'short', 'soaking'] as const).find((state) => state === open.state) ?? 'open';
  const now = t(`ring.openText.${at}`, { ring: open.no, total: open.total, done: at === 'short' ? good : good + bad + other });
  return `${now} ${t('ring.openText', { ring: next.no, count: next.total })}`;
}

/** The next ring opens now, whatever the open one stands at. */
export const openRing = (calls: TaskCalls) =>
  rowAction(calls.openRing, {
    successText: 'ring.opened',
    label: 'ring.openNext',
    allowedAction: 'openRing',
    confirm: { text: aboutOpening },
    input: (row: TaskDetail) => ({ id: row.id, ring: row.openRing + 1 }),
  });

type Standing = TaskDetail['rings'][number];
const tones: Readonly<Record<Standing['state'], Tone>> = {
  later: 'idle',
  empty: 'idle',
  open: 'busy',
  soaking: 'busy',
  asking: 'wait',
  short: 'bad',
  approval: 'wait',
  passed: 'good',
  done: 'good',
};

/** Rings whose rules decide what comes next. */
const undecided: readonly Standing['state'][] = ['later', 'open', 'soaking'];

function RingRow({ ring, rules, onRevert }: { ring: Standing; rules: readonly string[]; onRevert: (() => void) | undefined }) {
  const t = useT();
  const format = useFormat();
  const soaks = ring.state === 'soaking' && ring.soakedAt !== null;
  return (
    <tr>
      <th scope="row">{t('ring.no', { ring: ring.no })}</th>
      <td>
        <StatusTag tone={tones[ring.state]}>
          {soaks ? t('ring.state.soakingUntil', { at: format.moment(ring.soakedAt ?? '') }) : t(`ring.state.${ring.state}`)}
        </StatusTag>
        {undecided.includes(ring.state) && rules.length > 0 ? <div className="m-muted m-small">{rules.join(' · ')}</div> : null}
      </td>
      <td>
        <TaskProgress row={ring} tight />
      </td>
      <td>
        <span className="m-clip">{ring.openedAt ? format.moment(ring.openedAt) : '–'}</span>
        {ring.openedBy ? <span className="m-muted"> {t('ring.by', { name: ring.openedBy })}</span> : null}
      </td>
      <td>
        {onRevert ? (
          <Button small icon="back" of={t('ring.no', { ring: ring.no })} onClick={onRevert}>
            {t('ring.revert')}
          </Button>
        ) : null}
      </td>
    </tr>
  );
}

/** What each ring stands at; where there is one alone, nothing is said of it. */
export function TaskRings({ row }: { row: TaskDetail }) {
  const t = useT();
  const [back, setBack] = useState<number>();
  const gates = useRingGates();
  const rulesOf = ({ no }: Standing) => {
    const rules = row.delivery.rings[no - 1];
    return rules ? gates(rules, no === row.rings.length) : [];
  };
  const revertOf = (ring: Standing) => (mayRevertRing(row, ring) ? () => setBack(ring.no) : undefined);
  if (row.rings.length < 2 || row.total === 0) return null;
  return (
    <ScrollRegion className="m-panel m-panel-body m-scroll" label={t('ring.title')}>
      <table className="m-plain-table m-ring-table">
        <thead>
          <tr>
            <th scope="col">{t('firmware.result.ring')}</th>
            <th scope="col">{t('firmware.task.state')}</th>
            <th scope="col">{t('firmware.task.progress')}</th>
            <th scope="col">{t('ring.openedAt')}</th>
            <th scope="col">{t('kit.table.acts')}</th>
          </tr>
        </thead>
        <tbody>
          {row.rings.map((ring) => (
            <RingRow key={ring.no} ring={ring} rules={rulesOf(ring)} onRevert={revertOf(ring)} />
          ))}
        </tbody>
      </table>
      {back === undefined ? null : <WayBack row={row} of={{ ring: back }} onClose={() => setBack(undefined)} />}
    </ScrollRegion>
  );
}
