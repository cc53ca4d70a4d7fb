import { systemSettingCalls } from '@mooring/contract/settings/system-calls';
import { SettingForm } from './setting-form.tsx';

export const ProjectTab = () => (
  <SettingForm
    type="project"
    call={systemSettingCalls.project}
    sections={[
      {
        fields: [
          { name: 'supportWebUrl', label: 'settings.project.supportWebUrl', help: 'settings.project.supportWebUrl.help', kind: 'text' },
          { name: 'afterSalesUrl', label: 'settings.project.afterSalesUrl', kind: 'text' },
          { name: 'projectKey', label: 'settings.project.projectKey', help: 'settings.project.projectKey.help' },
          { name: 'pageId', label: 'settings.project.pageId' },
          { name: 'mapsKey', label: 'settings.project.mapsKey', help: 'settings.project.mapsKey.help', kind: 'text' },
        ],
      },
    ]}
  />
);

export const SmsTab = () => (
  <SettingForm
    type="sms"
    call={systemSettingCalls.sms}
    sections={[
      {
        title: 'settings.tab.sms',
        text: 'settings.sms.about',
        fields: [
          { name: 'url', label: 'settings.sms.url', kind: 'text' },
          { name: 'secret', label: 'settings.sms.secret', kind: 'password' },
        ],
      },
    ]}
  />
);

export const AlarmsTab = () => (
  <SettingForm
    type="alarmReceivers"
    call={systemSettingCalls.alarmReceivers}
    sections={[
      {
        title: 'settings.tab.alarms',
        text: 'settings.alarms.about',
        fields: [{ name: 'emails', label: 'settings.alarms.emails', kind: 'tags' }],
      },
    ]}
  />
);
