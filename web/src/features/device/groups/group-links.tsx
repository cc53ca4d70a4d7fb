import { deviceGroupCalls } from '@mooring/contract/device/group-calls';
import { Fragment } from 'react';
import { Link } from '../../../kit/link.tsx';
import { Value } from '../../../kit/list/cells.tsx';
import { mayCall, useSession } from '../../../kit/session.ts';
import { Tag } from '../../../ui/status-tag.tsx';

export const groupPath = ({ id }: { id: number }): string => `/device/deviceGrouping/${id}`;

/** Groups by their names, each leading to its page for those who may open it: groups are on Operations alone. */
export function GroupLinks({ groups }: { groups: readonly { id: number; name: string }[] }) {
  const session = useSession();
  if (groups.length === 0) return <Value value={undefined} />;
  const leads = session.platform === 'centre' && mayCall(deviceGroupCalls.detail, session);
  return (
    <span className="m-row m-tags">
      {groups.map((one) => (
        <Fragment key={one.id}>{leads ? <Link to={groupPath(one)}>{one.name}</Link> : <Tag>{one.name}</Tag>}</Fragment>
      ))}
    </span>
  );
}
