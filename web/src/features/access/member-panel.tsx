import { memberCalls } from '@mooring/contract/account/member-calls';
import type { OutputOf } from '@mooring/contract/kit/call';
import { CallFailed } from '../../kit/dead-end.tsx';
import { type Fact, Facts } from '../../kit/detail/detail-page.tsx';
import { programOf } from '../../kit/program.ts';
import { useCall } from '../../kit/queries.ts';
import { mayCall } from '../../kit/session.ts';
import { Drawer } from '../../ui/dialog.tsx';
import { PageSkeleton } from '../../ui/states.tsx';
import { Tag } from '../../ui/status-tag.tsx';
import { useFormat, useT } from '../../ui/words.ts';
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

/** From where somebody signed in, and with what. */
function SignIns({ id }: { id: number }) {
  const t = useT();
  const format = useFormat();
  const { data, error, retry } = useCall(memberCalls.signIns, { id });
  return (
    <section>
      <h3>{t('member.signIns')}</h3>
      {error && !data ? <CallFailed part error={error} onRetry={retry} /> : null}
      {data?.length === 0 ? <p className="m-muted">{t('member.signIns.none')}</p> : null}
      <ul className="m-plain-list">
        {data?.map((one) => (
          <li key={one.id}>
            <span className="m-row m-row-wrap">
              <span title={one.agent}>{programOf(one.agent) ?? t('member.signIns.unknown')}</span>
              <Tag>{t(`platform.${one.platform}`)}</Tag>
              {one.endedAt === null ? <Tag tone="accent">{t('member.signIns.open')}</Tag> : null}
            </span>
            <span className="m-muted m-small">
              {[format.moment(one.createdAt), one.ip, t('member.signIns.seen', { at: format.ago(one.seenAt) })].join(' · ')}
            </span>
          </li>
        ))}
      </ul>
    </section>
  );
}

/** A person, beside the list. */
export function MemberPanel({ row, onClose }: { row: Member; onClose: () => void }) {
  const whole = useCall(memberCalls.detail, { id: row.id });
  const detail = whole.data;
  return (
    <Drawer open title={row.userName} onClose={onClose}>
      <div className="m-stack">
        {detail ? <Facts facts={facts.filter((one) => one.when?.(detail) ?? true)} row={detail} /> : <PageSkeleton />}
        {mayCall(memberCalls.signIns) ? <SignIns id={row.id} /> : null}
      </div>
    </Drawer>
  );
}
