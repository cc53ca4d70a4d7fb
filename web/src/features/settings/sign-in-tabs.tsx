import { allPermissions } from '@mooring/contract/access/menus';
import { systemSettingCalls } from '@mooring/contract/settings/system-calls';
import { useDepts } from '../../kit/choices.ts';
import { usePermissionChoices } from '../../kit/permissions.ts';
import { SettingForm } from './setting-form.tsx';

/** What strangers may register at the door. */
export const RegistrationTab = () => (
  <SettingForm
    type="registration"
    call={systemSettingCalls.registration}
    sections={[
      {
        text: 'register.setting.text',
        fields: [
          { name: 'open', label: 'register.setting.open', kind: 'switch', wide: true },
          {
            name: 'oneDeptId',
            label: 'register.setting.oneDeptId',
            help: 'register.setting.oneDeptId.help',
            kind: 'one',
            useChoices: useDepts,
          },
        ],
      },
    ]}
  />
);

/** Those that nobody could take back are not offered. */
const withholdable = allPermissions.filter((one) => !/^(settings:system|sys:audit|account:authAudit):/.test(one));

const usePermissions = (text: string) => usePermissionChoices(withholdable, text);

/** What those without a checked real name may not do. */
export const UnauthenticatedTab = () => (
  <SettingForm
    type="unauthenticated"
    call={systemSettingCalls.unauthenticated}
    sections={[
      {
        text: 'authAudit.setting.text',
        fields: [
          {
            name: 'withheld',
            label: 'authAudit.setting.withheld',
            help: 'authAudit.setting.help',
            kind: 'multi',
            useChoices: usePermissions,
            wide: true,
          },
        ],
      },
    ]}
  />
);

/** Whether changes that decide who may sign in wait for a second person. */
export const DualControlTab = () => (
  <SettingForm
    type="dualControl"
    call={systemSettingCalls.dualControl}
    saved={({ enabled }) => (enabled === true ? 'settings.dualControl.on' : undefined)}
    sections={[
      {
        text: 'settings.dualControl.about',
        fields: [
          { name: 'enabled', label: 'settings.dualControl.enabled', help: 'settings.dualControl.enabled.help', kind: 'switch', wide: true },
        ],
      },
    ]}
  />
);
