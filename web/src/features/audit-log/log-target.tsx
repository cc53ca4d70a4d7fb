import { wordsOfTarget } from '@mooring/contract/audit-log/target';
import { Value } from '../../kit/list/cells.tsx';
import { useT } from '../../ui/words.ts';

/** What an act was on, in the words of who reads the log. */
export function Target({ of }: { of: string | null }) {
  const t = useT();
  return <Value value={of && wordsOfTarget(of, t)} />;
}
