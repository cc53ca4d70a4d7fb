import { softAppKind } from '@mooring/contract/app/app-kind';
import { appDifferenceCalls } from '@mooring/contract/app/difference-calls';
import { SoftAppRelease, softAppTaskCalls, softAppTaskDeviceCalls } from '@mooring/contract/app/release-calls';
import { lazy, Suspense } from 'react';
import type { ReleaseKind } from '../../engines/rollout/release-kind.ts';
import type { ControlPart, Values } from '../../kit/form/types.ts';
import { Bone } from '../../ui/states.tsx';
import { t } from '../../ui/words.ts';
import { deltasPath } from './paths.ts';
import { versionWords } from './version-words.ts';

// The wizard's controls come with the wizard: what kinds there are each console knows from its start.
const LateVersion = lazy(() => import('./choose-version.tsx').then((found) => ({ default: found.ChooseVersion })));
const LateInstalled = lazy(() => import('./choose-installed.tsx').then((found) => ({ default: found.ChooseInstalled })));
const ChooseVersion = (part: ControlPart<number | null | undefined>) => (
  <Suspense fallback={<Bone height="var(--control)" />}>
    <LateVersion {...part} />
  </Suspense>
);
const ChooseInstalled = (part: ControlPart<string | undefined>) => (
  <Suspense fallback={<Bone height="var(--control)" />}>
    <LateInstalled {...part} />
  </Suspense>
);

const removes = ({ action }: Values): boolean => action === 'uninstall';

export const softApps: ReleaseKind = {
  of: softAppKind,
  calls: { tasks: softAppTaskCalls, devices: softAppTaskDeviceCalls, differences: appDifferenceCalls },
  title: 'task.kind.softApp',
  empty: 'task.empty',
  emptyText: 'appRelease.about',
  versions: {
    deltas: ({ action, versionId }) =>
      action !== 'uninstall' && typeof versionId === 'number' ? deltasPath({ id: versionId }) : undefined,
    absent: 'appRelease.absent',
  },
  content: {
    title: 'task.kind.softApp',
    schema: SoftAppRelease,
    initial: { action: 'install', versionId: null, packageName: '', appName: '', versionName: '', versionCode: null },
    from(search) {
      const [version, removed] = [Number(search.get('appVersion')), search.get('uninstall')];
      if (removed) return { action: 'uninstall', packageName: removed, appName: search.get('name') ?? '' };
      return version > 0 ? { versionId: version } : {};
    },
    fields: [
      { name: 'action', label: 'release.action', names: 'appRelease.action.' },
      { name: 'versionId', label: 'appRelease.version', Control: ChooseVersion, wide: true, when: (values) => !removes(values) },
      { name: 'packageName', label: 'appRelease.installed', Control: ChooseInstalled, wide: true, when: removes },
    ],
    words(content) {
      const { data } = SoftAppRelease.safeParse(content);
      if (!data) return '–';
      const name = data.appName || data.packageName;
      return removes(data) ? t('appRelease.words.uninstall', { name }) : `${name} ${versionWords(data)}`.trim();
    },
  },
};
