import { registerCalls } from '@mooring/contract/auth/register-calls';
import { api } from '../../kit/client.ts';
import { Button } from '../../ui/button.tsx';
import { useT } from '../../ui/words.ts';
import { MailForm } from './mail-form.tsx';

interface Props {
  email: string;
  onEmail: (email: string) => void;
  onBack: () => void;
  onSent: () => void;
}

/** The address that registers; a code goes there. */
export function ConfirmEmail({ email, onEmail, onBack, onSent }: Props) {
  const t = useT();
  return (
    <MailForm
      id="register-email"
      label={t('register.email')}
      to={email}
      onTo={onEmail}
      purpose="regist"
      send={async (to, proof) => {
        await api(registerCalls.captcha, { email: to, proof }, { hidden: true });
        onSent();
      }}
      foot={(busy) => (
        <div className="m-form-foot">
          <Button onClick={onBack}>{t('register.back')}</Button>
          <Button look="primary" submit busy={busy}>
            {t('register.email.send')}
          </Button>
        </div>
      )}
    />
  );
}
