import { resultMachine, succeededStates } from '@mooring/contract/engines/rollout/state-machines';
import { codesOf } from '@mooring/contract/kit/state-machine';
import { StatusTag } from '../../ui/status-tag.tsx';
import { useT } from '../../ui/words.ts';

const succeeded = codesOf(resultMachine, [...succeededStates]);

/** Whether what was set on a terminal still holds. */
export function Holds({ row }: { row: { readonly state: string; readonly differs: boolean } }) {
  const t = useT();
  if (!succeeded.includes(row.state)) return <span className="m-muted">–</span>;
  return row.differs ? <StatusTag tone="wait">{t('release.differs')}</StatusTag> : <StatusTag tone="good">{t('release.asSet')}</StatusTag>;
}
