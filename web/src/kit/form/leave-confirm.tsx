import { Confirm } from '../../ui/dialog.tsx';
import { useT } from '../../ui/words.ts';

/** Asked before what was typed into a dialog is thrown away. */
export function LeaveConfirm({ open, onStay, onLeave }: { open: boolean; onStay: () => void; onLeave: () => void }) {
  const t = useT();
  return (
    <Confirm
      open={open}
      title={t('kit.leave.title')}
      confirm={t('kit.leave.discard')}
      cancel={t('kit.leave.edit')}
      danger
      onClose={onStay}
      onConfirm={onLeave}
    >
      {t('kit.leave.dialog')}
    </Confirm>
  );
}
