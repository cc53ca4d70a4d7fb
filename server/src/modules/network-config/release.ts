import type { Settings } from '@mooring/contract/device/messages';
import { NetworkConfig, networkConfigCalls, networkConfigDeviceCalls } from '@mooring/contract/network-config/calls';
import { networkConfigKind } from '@mooring/contract/network-config/kind';
import type { KindOfRelease } from '../../engines/rollout/module.ts';
import { settingKind } from '../../engines/rollout/settings/setting-kind.ts';

const valuesOf = (setting: string, ssids: readonly string[], hotspot: boolean): Settings['values'] =>
  setting === 'hotspot' ? { on: hotspot } : { ssids: ssids.toSorted() };

/** Which Wi-Fi networks a terminal may join, and whether it may open a hotspot of its own. */
export const networkConfigRelease: KindOfRelease = {
  kind: settingKind({
    of: networkConfigKind,
    content: NetworkConfig,
    setting: ({ setting, action, ssids, hotspot }) => ({
      section: `networkConfig.${setting}`,
      values: action === 'reset' ? null : valuesOf(setting, ssids, hotspot),
    }),
  }),
  calls: { tasks: networkConfigCalls, devices: networkConfigDeviceCalls },
};
