import { AndroidParams, androidTaskCalls, androidTaskDeviceCalls } from '@mooring/contract/paramfile/android-calls';
import { androidParamKind } from '@mooring/contract/paramfile/android-kind';
import type { ReleaseKind } from '../../engines/rollout/release-kind.ts';
import type { Values } from '../../kit/form/types.ts';
import { t } from '../../ui/words.ts';
import { ChooseTemplate } from './choose-template.tsx';
import { ParamValues, valueWords } from './param-values.tsx';

const sets = ({ action, templateId }: Values): boolean => action !== 'reset' && templateId !== undefined;

export const androidParams: ReleaseKind = {
  of: androidParamKind,
  calls: { tasks: androidTaskCalls, devices: androidTaskDeviceCalls },
  title: 'task.kind.androidParam',
  empty: 'task.empty',
  emptyText: 'androidParam.about',
  content: {
    schema: AndroidParams,
    initial: { action: 'config', values: {}, secrets: [], kept: null, secretKeys: [], fields: [], templateRevision: null },
    from: (search) => (search.get('template') ? { templateId: Number(search.get('template')) } : {}),
    fields: [
      { name: 'templateId', label: 'androidParam.template', Control: ChooseTemplate, wide: true },
      { name: 'action', label: 'release.action', names: 'release.action.' },
      { name: 'values', label: 'androidParam.values', Control: ParamValues, wide: true, when: sets },
    ],
    words(content) {
      const { data } = AndroidParams.safeParse(content);
      if (!data) return '–';
      const { templateName, action, values, secretKeys, secrets } = data;
      if (action === 'reset') return `${templateName}: ${t('release.action.reset')}`;
      const hidden = new Set([...secretKeys, ...secrets.map(({ key }) => key)]);
      const parts = [
        ...Object.entries(values).map(([key, value]) => `${key}: ${valueWords(value)}`),
        ...[...hidden].map((key) => `${key}: ${valueWords(null)}`),
      ];
      return [templateName, parts.join(', ')].filter(Boolean).join(' · ');
    },
    // Neither secrets nor rules say how many terminals there are.
    asked: (content) => ({ ...content, secrets: [], fields: [] }),
  },
};
