import { uploadMonitorCalls } from '@mooring/contract/file/upload-monitor-calls';
import { Progress } from '../../ui/figures.tsx';
import { useFormat, useT } from '../../ui/words.ts';
import { useCall } from '../queries.ts';

const NEARLY = 0.9;

/** What the organisation keeps and may keep: among its storage, and where an upload was refused for it. */
export function OwnStorage() {
  const t = useT();
  const format = useFormat();
  const { data } = useCall(uploadMonitorCalls.own, {}, { keep: true });
  if (!data) return null;
  const { kept, quota, room } = data;
  const share = quota === null ? 0 : quota === 0 ? 1 : Math.min(1, kept / quota);
  const left = room === null ? t('upload.own.free') : room > 0 ? t('upload.own.room', { room: format.size(room) }) : t('upload.own.full');
  return (
    <section className="m-stack-tight" aria-label={t('upload.own')}>
      <strong>{t('upload.own')}</strong>
      <span>{t('upload.own.kept', { kept: format.size(kept) })}</span>
      {quota === null ? null : (
        <Progress
          share={share}
          label={t('upload.own')}
          tone={share >= 1 ? 'bad' : share >= NEARLY ? 'wait' : 'primary'}
          note={t('upload.own.of', { share: format.percent(share), quota: format.size(quota) })}
        />
      )}
      <span className="m-small m-muted">{left}</span>
    </section>
  );
}
