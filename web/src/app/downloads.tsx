import { cancelDownload, clearDownloads, type DownloadStatus, downloadTasks, retryDownload } from '../kit/downloads.ts';
import { Button, IconButton } from '../ui/button.tsx';
import { Progress } from '../ui/figures.tsx';
import { useStore } from '../ui/store.ts';
import { useFormat, useT } from '../ui/words.ts';

const tones = {
  pending: 'primary',
  downloading: 'primary',
  completed: 'good',
  failed: 'bad',
  cancelled: 'ended',
} as const satisfies Record<DownloadStatus, string>;

/** The files that are on their way to this browser. */
export function Downloads() {
  const t = useT();
  const format = useFormat();
  const tasks = useStore(downloadTasks);
  if (tasks.length === 0) return null;
  const under = tasks.some((task) => task.downloadStatus === 'pending' || task.downloadStatus === 'downloading');
  return (
    <section className="m-downloads m-panel" aria-label={t('kit.download.title')}>
      <div className="m-panel-head">
        <h2 className="m-grow">{t('kit.download.title')}</h2>
        {under ? null : (
          <Button small onClick={clearDownloads}>
            {t('kit.download.clear')}
          </Button>
        )}
      </div>
      <ul>
        {tasks.map((task) => (
          <li key={task.fid} className="m-row">
            <div className="m-grow m-stack-tight">
              <span className="m-clip" title={task.fileName}>
                {task.fileName}
              </span>
              <Progress
                label={task.fileName}
                tone={tones[task.downloadStatus]}
                share={task.downloadStatus === 'downloading' ? task.downloadProgress : task.downloadStatus === 'completed' ? 1 : 0}
                note={
                  task.downloadStatus === 'downloading' && task.remainingTime !== undefined
                    ? `${format.size(task.fileSize)} · ${format.duration(task.remainingTime)}`
                    : (task.message ?? t(`kit.download.${task.downloadStatus}`))
                }
              />
            </div>
            {task.downloadStatus === 'failed' || task.downloadStatus === 'cancelled' ? (
              <IconButton small icon="retry" label={t('kit.retry')} onClick={() => retryDownload(task.fid)} />
            ) : null}
            {task.downloadStatus === 'downloading' || task.downloadStatus === 'pending' ? (
              <IconButton small icon="close" label={t('kit.cancel')} onClick={() => cancelDownload(task.fid)} />
            ) : null}
          </li>
        ))}
      </ul>
    </section>
  );
}
