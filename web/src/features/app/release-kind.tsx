import { softAppKind } from '@mooring/contract/app/app-kind';
import { appVersionCalls } from '@mooring/contract/app/calls';
import { appDifferenceCalls } from '@mooring/contract/app/difference-calls';
import { appActions, SoftAppRelease, softAppTaskCalls, softAppTaskDeviceCalls } from '@mooring/contract/app/release-calls';
import { androidTaskCalls } from '@mooring/contract/paramfile/android-calls';
import { paramTemplateCalls } from '@mooring/contract/paramfile/template-calls';
import { lazy, Suspense } from 'react';
import type { ReleaseKind } from '../../engines/rollout/release-kind.ts';
import type { ControlPart, Values } from '../../kit/form/types.ts';
import { mayCall } from '../../kit/session.ts';
import { Bone } from '../../ui/states.tsx';
import { t } from '../../ui/words.ts';
import { deltasPath, templatePath } from './paths.ts';
import { versionWords } from './version-words.ts';

// The wizard's controls come with the wizard: what kinds there are each console knows from its start.
const LateVersion = lazy(() => import('./choose-version.tsx').then((found) => ({ default: found.ChooseVersion })));
const LateInstalled = lazy(() => import('./choose-installed.tsx').then((found) => ({ default: found.ChooseInstalled })));
const ChooseVersion = (part: ControlPart<number | null | undefined>) => (
  <Suspense fallback={<Bone height="var(--control)" />}>
    <LateVersion {...part} />
  </Suspense>
);
const LateParams = lazy(() => import('./choose-params.tsx').then((found) => ({ default: found.ChooseParams })));
const ChooseParams = (part: ControlPart<number | null | undefined>) => (
  <Suspense fallback={<Bone height="var(--control)" />}>
    <LateParams {...part} />
  </Suspense>
);
const ChooseInstalled = (part: ControlPart<string | undefined>) => (
  <Suspense fallback={<Bone height="var(--control)" />}>
    <LateInstalled {...part} />
  </Suspense>
);

/** A trial is for who may review. */
const useActions = () => ({
  choices: appActions
    .filter((action) => action !== 'trial' || mayCall(appVersionCalls.trial))
    .map((action) => ({ value: action, label: `appRelease.action.${action}` as const })),
});

const noParams = { templateId: null, templateName: '', templateRevision: null };
const removes = ({ action }: Values): boolean => action === 'uninstall';
/** Whoever may not release parameters by themselves sends none along. */
const mayCarry = (values: Values): boolean => !removes(values) && typeof values.versionId === 'number' && mayCall(androidTaskCalls.add);

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
    downloads: true,
    initial: { action: 'install', versionId: null, packageName: '', appName: '', versionName: '', versionCode: null, ...noParams },
    from(search) {
      const [version, removed] = [Number(search.get('appVersion')), search.get('uninstall')];
      if (removed) return { action: 'uninstall', packageName: removed, appName: search.get('name') ?? '' };
      return version > 0 ? { versionId: version } : {};
    },
    copied: (content) => (mayCall(androidTaskCalls.add) ? content : { ...content, ...noParams }),
    fields: [
      { name: 'action', label: 'release.action', kind: 'one', useChoices: useActions },
      { name: 'versionId', label: 'appRelease.version', Control: ChooseVersion, wide: true, when: (values) => !removes(values) },
      { name: 'templateId', label: 'appRelease.params', help: 'appRelease.params.help', Control: ChooseParams, wide: true, when: mayCarry },
      { name: 'packageName', label: 'appRelease.installed', Control: ChooseInstalled, wide: true, when: removes },
    ],
    words(content) {
      const { data } = SoftAppRelease.safeParse(content);
      if (!data) return '–';
      const name = data.appName || data.packageName;
      if (removes(data)) return t('appRelease.words.uninstall', { name });
      const full = `${name} ${versionWords(data)}`.trim();
      return data.action === 'trial' ? t('appRelease.words.trial', { name: full }) : full;
    },
    along: {
      title: 'appRelease.params',
      of(content) {
        const { data } = SoftAppRelease.safeParse(content);
        if (!data || removes(data) || data.templateId === null) return undefined;
        return { name: data.templateName, to: mayCall(paramTemplateCalls.detail) ? templatePath(data.templateId) : undefined };
      },
    },
  },
};
