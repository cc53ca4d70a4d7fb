import { backgroundJobCalls } from '@mooring/contract/file/background-job-calls';
import { backgroundJobMachine } from '@mooring/contract/file/background-job-state-machine';
import type { BulkOutcome } from '@mooring/contract/kit/page';
import { useEffect } from 'react';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Progress } from '../../ui/figures.tsx';
import { ScrollRegion } from '../../ui/scroll-region.tsx';
import { Bone, Note } from '../../ui/states.tsx';
import { useFormat, useLooseT, useT } from '../../ui/words.ts';
import { messageOf } from '../client.ts';
import { useCall } from '../queries.ts';
import { StateTag } from '../state-tag.tsx';
import { go } from '../view.ts';
import { faultWords } from './bulk-outcome.ts';

/** What became of a bulk act: at once, or watched while it goes on in the background. */
export function BulkResult({
  title,
  result,
  onClose,
  onDone,
}: {
  title: string;
  result: BulkOutcome;
  onClose: () => void;
  /** The rows behind have changed. */
  onDone: () => void;
}) {
  const t = useT();
  const toWork = () => {
    onClose();
    go('/task/export');
  };
  return (
    <Dialog
      open
      title={title}
      onClose={onClose}
      footer={
        <>
          {result.work === null ? null : <Button onClick={toWork}>{t('kit.work.open')}</Button>}
          <Button look="primary" onClick={onClose}>
            {t('kit.close')}
          </Button>
        </>
      }
    >
      {result.work === null ? (
        <div className="m-stack">
          <p>
            {t('kit.bulk.result', { done: result.done, total: result.total })}
            {result.refused > 0 ? ` ${t('kit.bulk.refused', { refused: result.refused })}` : ''}
          </p>
          <Failures rows={result.failed} />
        </div>
      ) : (
        <Watched work={result.work} total={result.total} label={title} onDone={onDone} />
      )}
    </Dialog>
  );
}

const under = new Set(['waiting', 'running']);

function Watched({ work, total, label, onDone }: { work: number; total: number; label: string; onDone: () => void }) {
  const t = useT();
  const loose = useLooseT();
  const format = useFormat();
  const first = useCall(backgroundJobCalls.detail, { id: work });
  const going = first.data === undefined || under.has(first.data.state);
  useCall(backgroundJobCalls.detail, { id: work }, { every: 1, enabled: going });
  const { data, error } = first;
  // biome-ignore lint/correctness/useExhaustiveDependencies: told once, at the end
  useEffect(() => {
    if (!going) onDone();
  }, [going]);
  if (!data) return error ? <Note tone="danger">{messageOf(error)}</Note> : <Bone height={48} />;
  const counted = `${format.number(data.done)} / ${format.number(data.total ?? total)}`;
  if (going)
    return (
      <div className="m-stack">
        <Progress
          share={data.state === 'running' ? data.done / Math.max(1, data.total ?? total) : undefined}
          label={label}
          note={counted}
        />
        <p className="m-muted">{t('kit.bulk.background', { total })}</p>
      </div>
    );
  return (
    <div className="m-stack">
      <StateTag machine={backgroundJobMachine} code={data.state} />
      <p>
        {t('kit.bulk.result', { done: data.done, total: data.total ?? total })}
        {data.failed > 0 ? ` ${t('kit.bulk.refused', { refused: data.failed })}` : ''}
      </p>
      {data.reason ? <Note tone="danger">{loose(`fault.${data.reason}`, data.reason)}</Note> : null}
      <Failures rows={data.failures} />
    </div>
  );
}

/** What failed, and why. */
export function Failures({ rows }: { rows: BulkOutcome['failed'] }) {
  const t = useT();
  if (rows.length === 0) return null;
  return (
    <ScrollRegion className="m-failures" label={t('kit.bulk.failed')}>
      <table>
        <thead>
          <tr>
            <th scope="col">{t('kit.bulk.what')}</th>
            <th scope="col">{t('kit.bulk.why')}</th>
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={row.id}>
              <td className="m-mono">{row.label}</td>
              <td>{faultWords(row.fault)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </ScrollRegion>
  );
}
