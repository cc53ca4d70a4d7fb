import { backgroundJobCalls, type Work } from '@mooring/contract/file/background-job-calls';
import { backgroundJobMachine } from '@mooring/contract/file/background-job-state-machine';
import { fileCalls } from '@mooring/contract/file/calls';
import { useEffect } from 'react';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Progress } from '../../ui/figures.tsx';
import { Bone, Note } from '../../ui/states.tsx';
import { useFormat, useLooseT, useT } from '../../ui/words.ts';
import { api, messageOf } from '../client.ts';
import { download } from '../downloads.ts';
import { Failures } from '../list/bulk-result.tsx';
import { refresh, useAct, useCall } from '../queries.ts';
import { StateTag } from '../state-tag.tsx';

const under = new Set(['waiting', 'running']);

/** The newest of the person's imports of this name that goes on still. */
export function useRunningImport(name: string): number | undefined {
  const found = useCall(backgroundJobCalls.page, { criteria: { kind: 'import' }, page: { size: 10 } });
  return found.data?.content.find((one) => one.name === name && under.has(one.state))?.id;
}

const fetchResult = (id: number) =>
  void api(backgroundJobCalls.download, { id }).then(
    ({ url, fileName }) => download(fileCalls.get, { token: url.split('/').at(-1) ?? '' }, fileName),
    () => undefined,
  );

interface Props {
  readonly title: string;
  readonly work: number;
  /** The group of the lists that show what comes. */
  readonly touches: string;
  readonly onAnother: () => void;
  readonly onClose: () => void;
}

/** How far an import is, and what became of it. */
export function WatchedImport({ title, touches, work, onAnother, onClose }: Props) {
  const t = useT();
  const first = useCall(backgroundJobCalls.detail, { id: work });
  const { data, error } = first;
  const isGoing = data === undefined || under.has(data.state);
  useCall(backgroundJobCalls.detail, { id: work }, { every: 1, enabled: isGoing });
  const stop = useAct(backgroundJobCalls.cancel);
  useEffect(() => {
    if (!isGoing) refresh(touches);
  }, [isGoing, touches]);
  return (
    <Dialog
      open
      title={title}
      onClose={onClose}
      width={760}
      footer={
        <>
          {data?.allowedActions.includes('cancel') ? (
            <Button danger busy={stop.busy} onClick={() => stop.run({ id: work })}>
              {t('kit.sheet.stop')}
            </Button>
          ) : null}
          {isGoing ? null : <Button onClick={onAnother}>{t('kit.sheet.another')}</Button>}
          {data?.allowedActions.includes('download') ? (
            <Button icon="download" onClick={() => fetchResult(work)}>
              {t('kit.sheet.file')}
            </Button>
          ) : null}
          <Button look="primary" onClick={onClose}>
            {t('kit.close')}
          </Button>
        </>
      }
    >
      {data ? <Standing row={data} label={title} /> : error ? <Note tone="danger">{messageOf(error)}</Note> : <Bone height={48} />}
    </Dialog>
  );
}

function Standing({ row, label }: { row: Work; label: string }) {
  const t = useT();
  const loose = useLooseT();
  const format = useFormat();
  if (under.has(row.state))
    return (
      <div className="m-stack">
        <Progress
          share={row.total && row.state === 'running' ? row.done / row.total : undefined}
          label={label}
          note={row.total ? `${format.number(row.done)} / ${format.number(row.total)}` : t('kit.sheet.running', { done: row.done })}
        />
        <p className="m-muted">{t('kit.sheet.leave')}</p>
      </div>
    );
  return (
    <div className="m-stack">
      <StateTag machine={backgroundJobMachine} code={row.state} />
      {row.reason ? <Note tone="danger">{loose(`fault.${row.reason}`, row.reason)}</Note> : null}
      {row.state === 'done' ? <p>{t('kit.sheet.done', { done: row.done - row.failed, failed: row.failed })}</p> : null}
      <Failures rows={row.failures} />
    </div>
  );
}
