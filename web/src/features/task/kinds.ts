import type { Call } from '@mooring/contract/kit/call';
import type { ReleaseKind } from '../../engines/rollout/release-kind.ts';
import { mayCall, useSession } from '../../kit/session.ts';

/** For those who may make releases of any of these kinds. */
export const addingAny = (kinds: readonly ReleaseKind[]): Call =>
  ({ ...kinds[0]?.calls.tasks.add, can: kinds.map(({ calls }) => calls.tasks.add.can).join('||') }) as Call;

/** The kinds of which the person may see releases, or make them. */
export function useKindsWith(kinds: readonly ReleaseKind[], act: 'page' | 'add'): readonly ReleaseKind[] {
  const session = useSession();
  return kinds.filter(({ calls }) => mayCall(calls.tasks[act], session));
}
