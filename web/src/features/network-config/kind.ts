import { NetworkConfig, networkConfigCalls, networkConfigDeviceCalls } from '@mooring/contract/network-config/calls';
import { networkConfigKind } from '@mooring/contract/network-config/kind';
import type { ReleaseKind } from '../../engines/rollout/release-kind.ts';
import type { Values } from '../../kit/form/types.ts';
import { t } from '../../ui/words.ts';

const sets =
  (setting: string) =>
  (values: Values): boolean =>
    values.action !== 'reset' && values.setting === setting;

export const networkConfigs: ReleaseKind = {
  of: networkConfigKind,
  calls: { tasks: networkConfigCalls, devices: networkConfigDeviceCalls },
  title: 'networkConfig.task.title',
  empty: 'networkConfig.task.empty',
  emptyText: 'networkConfig.task.emptyText',
  content: {
    schema: NetworkConfig,
    initial: { action: 'config', ssids: [], hotspot: false },
    fields: [
      { name: 'setting', label: 'networkConfig.setting', names: 'networkConfig.setting.' },
      { name: 'action', label: 'release.action', names: 'release.action.' },
      {
        name: 'ssids',
        label: 'networkConfig.ssids',
        help: 'networkConfig.ssidsHelp',
        kind: 'phrases',
        wide: true,
        when: sets('wifiWhitelist'),
      },
      { name: 'hotspot', label: 'networkConfig.hotspot', when: sets('hotspot') },
    ],
    words(content) {
      const { data } = NetworkConfig.safeParse(content);
      if (!data) return '–';
      const setting = t(`networkConfig.setting.${data.setting}`);
      if (data.action === 'reset') return `${setting}: ${t('release.action.reset')}`;
      return `${setting}: ${data.setting === 'hotspot' ? t(data.hotspot ? 'kit.yes' : 'kit.no') : data.ssids.join(', ')}`;
    },
  },
};
