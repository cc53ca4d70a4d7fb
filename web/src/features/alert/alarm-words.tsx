import type { Alarm } from '@mooring/contract/alert/alarm';
import type { RowOf } from '@mooring/contract/kit/entity';
import { Tag } from '../../ui/status-tag.tsx';
import { useT } from '../../ui/words.ts';

export type AlarmRow = RowOf<typeof Alarm>;

const tones = { 1: 'danger', 2: 'warn', 3: 'plain' } as const;
export function Priority({ of }: { of: AlarmRow['priority'] }) {
  const t = useT();
  return <Tag tone={tones[of]}>{t(`alert.priority.${of}`)}</Tag>;
}

/** What an alarm says, in one line. */
function useWhat(): (row: Pick<AlarmRow, 'kind' | 'about'>) => string {
  const t = useT();
  return ({ kind, about }) => t(`alert.what.${kind}`, about);
}
export const What = ({ row }: { row: AlarmRow }) => useWhat()(row);
