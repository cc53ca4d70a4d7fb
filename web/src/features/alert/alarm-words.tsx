import type { Alarm } from '@mooring/contract/alert/alarm';
import type { RowOf } from '@mooring/contract/kit/entity';
import { useT } from '../../ui/words.ts';

export type AlarmRow = RowOf<typeof Alarm>;

/** What an alarm says, in one line. */
function useWhat(): (row: Pick<AlarmRow, 'kind' | 'about'>) => string {
  const t = useT();
  return ({ kind, about }) => t(`alert.what.${kind}`, about);
}
export const What = ({ row }: { row: AlarmRow }) => useWhat()(row);
