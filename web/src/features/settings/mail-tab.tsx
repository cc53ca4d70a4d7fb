import { mailCalls } from '@mooring/contract/settings/mail-calls';
import { systemSettingCalls } from '@mooring/contract/settings/system-calls';
import { useState } from 'react';
import { FormDialog } from '../../kit/form/form-dialog.tsx';
import { NoMail, useSends } from '../../kit/no-mail.tsx';
import { mayCall, useSession } from '../../kit/session.ts';
import { Button } from '../../ui/button.tsx';
import { useT } from '../../ui/words.ts';
import { SettingForm } from './setting-form.tsx';

export function MailTab() {
  const t = useT();
  const now = useSession();
  const sends = useSends();
  const [testing, setTesting] = useState(false);
  return (
    <div className="m-stack">
      <SettingForm
        type="mail"
        call={systemSettingCalls.mail}
        sections={[
          {
            text: 'settings.mail.about',
            fields: [
              { name: 'host', label: 'settings.mail.host', kind: 'text' },
              { name: 'port', label: 'settings.mail.port', kind: 'number' },
              { name: 'security', label: 'settings.mail.security', names: 'settings.mail.security.' },
              { name: 'user', label: 'settings.mail.user' },
              { name: 'password', label: 'settings.mail.password', kind: 'password' },
              { name: 'fromAddress', label: 'settings.mail.fromAddress', kind: 'text' },
              { name: 'fromName', label: 'settings.mail.fromName' },
            ],
          },
        ]}
      />
      {mayCall(mailCalls.test, now) ? (
        <span>
          <Button onClick={() => setTesting(true)}>{t('settings.mail.test')}</Button>
        </span>
      ) : null}
      {testing ? (
        <FormDialog
          title="settings.mail.test"
          call={mailCalls.test}
          submit="settings.mail.test"
          successText="settings.mail.test.sent"
          about={<NoMail />}
          blocked={!sends}
          fields={[{ name: 'to', label: 'settings.mail.test.to' }]}
          initial={now.user?.email ? { to: now.user.email } : {}}
          onClose={() => setTesting(false)}
        />
      ) : null}
    </div>
  );
}
