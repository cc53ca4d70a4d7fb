import { roleCalls } from '@mooring/contract/access/role-calls';
import type { RowOf } from '../../kit/list/types.ts';
import { useCall } from '../../kit/queries.ts';
import { Drawer } from '../../ui/dialog.tsx';
import { Note, PageSkeleton } from '../../ui/states.tsx';
import { useT } from '../../ui/words.ts';
import { RolePreview } from './role-preview.tsx';

/** What a role opens, beside the list; also of those that can't be changed. */
export function RolePanel({ row, onClose }: { row: RowOf<typeof roleCalls.page>; onClose: () => void }) {
  const t = useT();
  const whole = useCall(roleCalls.detail, { id: row.id });
  return (
    <Drawer open title={row.name} onClose={onClose}>
      <div className="m-stack">
        {row.seeded ? <Note>{t('access.readOnly')}</Note> : null}
        {row.remark ? <p>{row.remark}</p> : null}
        {whole.data ? <RolePreview menus={whole.data.menus} platforms={whole.data.platforms} /> : <PageSkeleton />}
      </div>
    </Drawer>
  );
}
