import { taskCalls } from '@mooring/contract/firmware/task-calls';
import type { ReactNode } from 'react';
import { Link } from '../../kit/link.tsx';
import { mayCall, useSession } from '../../kit/session.ts';

/** A release by its name. Releases are on Operations alone: on Customer, and to who may not see them, the name leads nowhere. */
export function ReleaseLink({ id, children }: { id: number; children: ReactNode }) {
  const session = useSession();
  const leads = session.platform === 'centre' && mayCall(taskCalls.detail, session);
  return leads ? <Link to={`/device/fota/taskmod/${id}`}>{children}</Link> : <span>{children}</span>;
}
