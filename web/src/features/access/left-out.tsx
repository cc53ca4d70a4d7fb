import { useSession } from '../../kit/session.ts';
import { Note } from '../../ui/states.tsx';
import { useT } from '../../ui/words.ts';

/** A list that is shorter for its reader than for others says so. */
export function LeftOut() {
  const t = useT();
  const { user } = useSession();
  return user?.leavesOut ? <Note>{t('access.leavesOut')}</Note> : null;
}
