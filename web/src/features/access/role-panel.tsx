import { roleCalls } from '@mooring/contract/access/role-calls';
import { memberCalls } from '@mooring/contract/account/member-calls';
import { Link } from '../../kit/link.tsx';
import type { RowOf } from '../../kit/list/types.ts';
import { useCall } from '../../kit/queries.ts';
import { mayCall } from '../../kit/session.ts';
import { Drawer } from '../../ui/dialog.tsx';
import { Note, PageSkeleton } from '../../ui/states.tsx';
import { useT } from '../../ui/words.ts';
import { RolePreview } from './role-preview.tsx';

/** What a role opens and who has it, beside the list; also of those that can't be changed. */
interface Props {
  readonly row: RowOf<typeof roleCalls.page>;
  readonly membersOf: string;
  readonly onClose: () => void;
}

const NAMED = 5;

/** The first of them by name, each with the way to them. */
function Holders({ row, at }: { row: Props['row']; at: string }) {
  const t = useT();
  const { data } = useCall(memberCalls.page, { criteria: { roleId: row.id }, page: { size: NAMED } });
  const named = data?.content ?? [];
  const more = row.holders - named.length;
  return (
    <div className="m-stack-tight">
      <Link to={at}>{t('access.heldBy', { count: row.holders })}</Link>
      {named.length > 0 ? (
        <p className="m-row m-row-wrap">
          {named.map((one) => (
            <Link key={one.id} to={`${at}&row=${one.id}`}>
              {one.userName}
            </Link>
          ))}
          {more > 0 ? <Link to={at}>{t('access.heldBy.more', { count: more })}</Link> : null}
        </p>
      ) : null}
    </div>
  );
}

export function RolePanel({ row, membersOf, onClose }: Props) {
  const t = useT();
  const whole = useCall(roleCalls.detail, { id: row.id });
  return (
    <Drawer open title={row.name} onClose={onClose}>
      <div className="m-stack">
        {row.seeded ? <Note>{t('access.readOnly')}</Note> : null}
        {row.remark ? <p>{row.remark}</p> : null}
        {row.holders > 0 && mayCall(memberCalls.page) ? (
          <Holders row={row} at={`${membersOf}?roleId=${row.id}`} />
        ) : (
          <p>{t('access.heldBy', { count: row.holders })}</p>
        )}
        {whole.data ? <RolePreview menus={whole.data.menus} platforms={whole.data.platforms} /> : <PageSkeleton />}
      </div>
    </Drawer>
  );
}
