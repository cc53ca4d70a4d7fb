import { type TaskKind, taskPermission } from '@mooring/contract/engines/rollout/task-kind';
import { releaseKinds } from '@mooring/contract/release-kinds';
import type { ReactNode } from 'react';
import { Link } from '../../kit/link.tsx';
import { mayCall, useSession } from '../../kit/session.ts';

interface Props {
  kind: TaskKind['kind'];
  id: number;
  children: ReactNode;
}
/** A release by its name. Releases are on Operations alone: on Customer, and to who may not see them, the name leads nowhere. */
export function ReleaseLink({ kind, id, children }: Props) {
  const session = useSession();
  const of = releaseKinds.find((one) => one.kind === kind);
  const leads = of && session.platform === 'centre' && mayCall({ can: taskPermission(of, 'page'), platform: undefined }, session);
  return leads ? <Link to={`${of.screens.task}/${id}`}>{children}</Link> : <span>{children}</span>;
}
