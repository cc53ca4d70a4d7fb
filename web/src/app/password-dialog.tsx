import { ChangePassword } from '../kit/access/change-password.tsx';
import { go } from '../kit/view.ts';
import { Dialog } from '../ui/dialog.tsx';
import { useT } from '../ui/words.ts';
import { signOut } from './entry.ts';

/** A changed password ends all sessions, this one too: the new one is tried at once. */
export function PasswordDialog({ open, onClose }: { open: boolean; onClose: () => void }) {
  const t = useT();
  return (
    <Dialog open={open} title={t('shell.changePassword')} onClose={onClose} typed>
      <p className="m-muted m-dialog-lead">{t('auth.change.own')}</p>
      <ChangePassword
        cancel={t('kit.cancel')}
        onCancel={onClose}
        onDone={() => {
          onClose();
          void signOut().then(() => go('/login'));
        }}
      />
    </Dialog>
  );
}
