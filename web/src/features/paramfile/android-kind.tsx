import { AndroidParams, androidTaskCalls, androidTaskDeviceCalls } from '@mooring/contract/paramfile/android-calls';
import { androidParamKind } from '@mooring/contract/paramfile/android-kind';
import { lazy, Suspense } from 'react';
import type { ReleaseKind } from '../../engines/rollout/release-kind.ts';
import type { ControlPart, Values } from '../../kit/form/types.ts';
import { Bone } from '../../ui/states.tsx';
import { t } from '../../ui/words.ts';
import { valueWords } from './value-words.ts';

// The wizard's controls come with the wizard: what kinds there are each console knows from its start.
const LateTemplate = lazy(() => import('./choose-template.tsx').then((found) => ({ default: found.ChooseTemplate })));
const LateValues = lazy(() => import('./param-values.tsx').then((found) => ({ default: found.ParamValues })));
const ChooseTemplate = (part: ControlPart<number | undefined>) => (
  <Suspense fallback={<Bone height="var(--control)" />}>
    <LateTemplate {...part} />
  </Suspense>
);
const ParamValues = (part: ControlPart<Values | undefined>) => (
  <Suspense fallback={<Bone height={120} />}>
    <LateValues {...part} />
  </Suspense>
);

const sets = ({ action, mode, templateId }: Values): boolean => action !== 'reset' && mode !== 'own' && templateId !== undefined;

export const androidParams: ReleaseKind = {
  of: androidParamKind,
  calls: { tasks: androidTaskCalls, devices: androidTaskDeviceCalls },
  title: 'task.kind.androidParam',
  empty: 'task.empty',
  emptyText: 'androidParam.about',
  content: {
    schema: AndroidParams,
    initial: { action: 'config', mode: 'task', values: {}, secrets: [], kept: null, secretKeys: [], fields: [], templateRevision: null },
    from: (search) => ({
      ...(search.get('template') ? { templateId: Number(search.get('template')) } : {}),
      ...(search.get('mode') === 'own' ? { mode: 'own' } : {}),
    }),
    fields: [
      { name: 'templateId', label: 'androidParam.template', Control: ChooseTemplate, wide: true },
      { name: 'action', label: 'release.action', names: 'release.action.' },
      { name: 'mode', label: 'androidParam.mode', names: 'androidParam.mode.', kind: 'radio', when: ({ action }) => action !== 'reset' },
      { name: 'values', label: 'androidParam.values', Control: ParamValues, wide: true, when: sets },
    ],
    words(content) {
      const { data } = AndroidParams.safeParse(content);
      if (!data) return '–';
      const { templateName, action, mode, values, secretKeys, secrets } = data;
      if (action === 'reset') return `${templateName}: ${t('release.action.reset')}`;
      if (mode === 'own') return [templateName, t('androidParam.mode.own')].filter(Boolean).join(' · ');
      const hidden = new Set([...secretKeys, ...secrets.map(({ key }) => key)]);
      const parts = [
        ...Object.entries(values).map(([key, value]) => `${key}: ${valueWords(value)}`),
        ...[...hidden].map((key) => `${key}: ${valueWords(null)}`),
      ];
      return [templateName, parts.join(', ')].filter(Boolean).join(' · ');
    },
    // Neither secrets nor rules say how many terminals there are; each release of secrets is another one for them.
    asked: (content) => ({ ...content, secrets: [], fields: [], kept: null, secretKeys: [] }),
  },
};
