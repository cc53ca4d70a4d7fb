import { memberCalls } from '@mooring/contract/account/member-calls';
import type { OutputOf } from '@mooring/contract/kit/call';
import { type Fact, Facts } from '../../kit/detail/detail-page.tsx';
import { useCall } from '../../kit/queries.ts';
import { Drawer } from '../../ui/dialog.tsx';
import { PageSkeleton } from '../../ui/states.tsx';
import type { Member } from './member-dialogs.tsx';

type Detail = OutputOf<typeof memberCalls.detail>;
const names = (list: readonly { name: string }[]) => list.map((one) => one.name).join(', ');
const facts: readonly Fact<Detail>[] = [
  { key: 'account', title: 'member.account', kind: 'code' },
  { key: 'email', title: 'member.email' },
  { key: 'mobile', title: 'member.mobile' },
  { key: 'deptName', title: 'member.dept' },
  { key: 'userType', title: 'member.userType', kind: 'name', names: 'member.userType.' },
  { key: 'roles', title: 'member.roles', cell: (row) => names(row.roles) },
  { key: 'managed', title: 'member.managed', cell: (row) => names(row.managed), when: (row) => row.managed.length > 0 },
  { key: 'lockedUntil', title: 'member.lockedUntil', kind: 'moment', when: (row) => row.lockedUntil !== null },
  { key: 'mfaBound', title: 'member.mfaBound', kind: 'yes' },
  { key: 'openSessions', title: 'member.openSessions', kind: 'number' },
  { key: 'lastLoginAt', title: 'member.lastLoginAt', kind: 'moment' },
  { key: 'createdAt', title: 'member.createdAt', kind: 'moment' },
];

/** A person, beside the list. */
export function MemberPanel({ row, onClose }: { row: Member; onClose: () => void }) {
  const whole = useCall(memberCalls.detail, { id: row.id });
  const detail = whole.data;
  return (
    <Drawer open title={row.userName} onClose={onClose}>
      {detail ? <Facts facts={facts.filter((one) => one.when?.(detail) ?? true)} row={detail} /> : <PageSkeleton />}
    </Drawer>
  );
}
