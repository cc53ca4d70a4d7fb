import { BindTotp } from '../kit/access/bind-totp.tsx';
import { ChangePassword } from '../kit/access/change-password.tsx';
import { session } from '../kit/session.ts';
import { Note } from '../ui/states.tsx';
import { useT } from '../ui/words.ts';
import { enter } from './entry.ts';
import { Gate, out } from './gate.tsx';

export function ForcedPassword({ reason }: { reason: 'first' | 'weak' }) {
  const t = useT();
  return (
    <Gate>
      <div className="m-panel m-panel-body m-gate-card m-stack">
        <h1>{t('auth.change.title')}</h1>
        <Note tone="info">{t(`auth.change.${reason}`)}</Note>
        <ChangePassword cancel={t('shell.signOut')} onCancel={out} onDone={() => void enter(session.get().platform)} />
      </div>
    </Gate>
  );
}

/** The policy wants a second factor, and nothing else works before there is one. */
export function ForcedMfa() {
  const t = useT();
  return (
    <Gate>
      <div className="m-panel m-panel-body m-gate-card m-stack">
        <h1>{t('account.totp.title')}</h1>
        <Note tone="info">{t('account.totp.required')}</Note>
        <BindTotp cancel={t('shell.signOut')} onCancel={out} onDone={() => void enter(session.get().platform)} />
      </div>
    </Gate>
  );
}
