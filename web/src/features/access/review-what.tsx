import type { reviewCalls } from '@mooring/contract/access/review-calls';
import type { RowOf } from '../../kit/list/types.ts';
import { useT } from '../../ui/words.ts';

function Name({ row }: { row: RowOf<typeof reviewCalls.page> }) {
  const t = useT();
  return row.what === null ? <span className="m-muted">{t('review.what.elsewhere')}</span> : row.what;
}
/** What is held, where the reader may see it. */
export const What = (row: RowOf<typeof reviewCalls.page>) => <Name row={row} />;
