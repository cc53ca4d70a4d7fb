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

export function RolePanel({ row, membersOf, onClose }: Props) {
  const t = useT();
  const whole = useCall(roleCalls.detail, { id: row.id });
  return (
    <Drawer open title={row.name} onClose={onClose}>
      <div className="m-stack">
        {row.seeded ? <Note>{t('access.readOnly')}</Note> : null}
        {row.remark ? <p>{row.remark}</p> : null}
        <p>
          {row.holders > 0 && mayCall(memberCalls.page) ? (
            <Link to={`${membersOf}?roleId=${row.id}`}>{t('access.heldBy', { count: row.holders })}</Link>
          ) : (
            t('access.heldBy', { count: row.holders })
          )}
        </p>
        {whole.data ? <RolePreview menus={whole.data.menus} platforms={whole.data.platforms} /> : <PageSkeleton />}
      </div>
    </Drawer>
  );
}
