import { systemSettingCalls } from '@mooring/contract/settings/system-calls';
import { GroupRules } from './items-field.tsx';
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

export const SsoTab = () => (
  <SettingForm
    type="singleSignOn"
    call={systemSettingCalls.singleSignOn}
    sections={[
      {
        title: 'settings.tab.sso',
        text: 'settings.sso.about',
        fields: [
          { name: 'enabled', label: 'settings.sso.enabled', kind: 'switch' },
          { name: 'name', label: 'settings.sso.name' },
          { name: 'issuer', label: 'settings.sso.issuer', kind: 'text', help: 'settings.sso.issuer.help' },
          { name: 'clientId', label: 'settings.sso.clientId', kind: 'text' },
          { name: 'clientSecret', label: 'settings.sso.clientSecret', kind: 'password' },
          { name: 'scopes', label: 'settings.sso.scopes', kind: 'text' },
          { name: 'groupsClaim', label: 'settings.sso.groupsClaim' },
          { name: 'linkByEmail', label: 'settings.sso.linkByEmail', kind: 'switch' },
          { name: 'provision', label: 'settings.sso.provision', kind: 'switch' },
        ],
      },
      {
        title: 'settings.sso.rules',
        text: 'settings.sso.rules.about',
        fields: [{ name: 'rules', label: 'settings.sso.rules', Control: GroupRules }],
      },
    ]}
  />
);
