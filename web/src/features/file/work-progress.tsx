import type { Work } from '@mooring/contract/file/background-job-calls';
import { Progress } from '../../ui/figures.tsx';
import { useFormat, useLooseT, useT } from '../../ui/words.ts';

/** How far a work is, or why it ended. */
export function BackgroundJobProgress({ row }: { row: Work }) {
  const t = useT();
  const loose = useLooseT();
  const format = useFormat();
  if (row.reason) return <span className="m-muted">{loose(`fault.${row.reason}`, row.reason)}</span>;
  const counted = row.total === null ? format.number(row.done) : `${format.number(row.done)} / ${format.number(row.total)}`;
  const failed = row.failed > 0 ? ` · ${t('work.failed')} ${format.number(row.failed)}` : '';
  if (row.state !== 'running') return <span className="m-muted">{`${counted}${failed}`}</span>;
  return <Progress share={row.total ? row.done / row.total : undefined} label={row.name} note={`${counted}${failed}`} />;
}
