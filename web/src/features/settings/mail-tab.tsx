import { systemSettingCalls } from '@mooring/contract/settings/system-calls';
import { SettingForm } from './setting-form.tsx';
import { TestSend } from './test-send.tsx';

export function MailTab() {
  return (
    <div className="m-stack">
      <SettingForm
        type="mail"
        call={systemSettingCalls.mail}
        sections={[
          {
            text: 'settings.mail.about',
            fields: [
              { name: 'host', label: 'settings.mail.host', kind: 'text', help: 'settings.outbound.help' },
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
      <TestSend channel="email" />
    </div>
  );
}
