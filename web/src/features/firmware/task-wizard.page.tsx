import { type TaskClass, taskClasses } from '@mooring/contract/engines/rollout/schemas';
import { preTaskCalls, type TaskCalls, taskCalls } from '@mooring/contract/firmware/task-calls';
import type { InputOf } from '@mooring/contract/kit/call';
import type { Values } from '../../kit/form/types.ts';
import { wizardPage } from '../../kit/form/wizard-page.tsx';
import { useCall } from '../../kit/queries.ts';
import { Note } from '../../ui/states.tsx';
import { type TextKey, t, type Words } from '../../ui/words.ts';
import { usePackages } from './choices.ts';
import { isScope } from './scope-values.ts';
import { backFrom, copyOf } from './task-copies.ts';
import { DeliveryFields, deliveryFields } from './task-delivery.tsx';
import { TaskPreview } from './task-preview.tsx';
import { TaskReview } from './task-review.tsx';
import { ScopeFields } from './task-scope.tsx';

type New = Partial<InputOf<typeof taskCalls.add>>;
type Preview = InputOf<typeof taskCalls.preview>;

/** What the preview asks with, once enough is said. */
const previewOf = ({ packageId, scope, delivery }: New): Preview | undefined =>
  packageId && isScope(scope) ? ({ packageId, scope, ...(delivery ? { delivery } : {}) } as Preview) : undefined;

/** Before it starts, or before now. The server judges by its own clock. */
const endsTooEarly = (delivery: New['delivery']): boolean =>
  Boolean(delivery?.expiresAt) && Date.parse(delivery?.expiresAt ?? '') <= Math.max(Date.now(), Date.parse(delivery?.startAt ?? '') || 0);

/** "Release to 1,204 terminals". */
function useReleaseWords(values: New, here: boolean): Words {
  const input = previewOf(values);
  const { data } = useCall(taskCalls.preview, input ?? ({} as Preview), { enabled: here && input !== undefined });
  return values.release ? { key: 'firmware.task.releaseAct', params: { count: data?.matched ?? 0 } } : 'firmware.task.saveDraft';
}
/** How many there will be nobody knows yet. */
const usePreTaskWords = (values: New): Words => (values.release ? 'firmware.pretask.releaseAct' : 'firmware.task.saveDraft');

interface WizardOf {
  readonly calls: TaskCalls;
  readonly taskClass: TaskClass;
  readonly add: TextKey;
  readonly edit: TextKey;
  readonly cancel: string;
  readonly useSubmit: (values: New, here: boolean) => Words;
}

const wizardOf = ({ calls, taskClass, add, edit, cancel, useSubmit }: WizardOf) =>
  wizardPage({
    title: add,
    call: calls.add,
    initial: { scope: { releaseScope: '0' }, release: true },
    from: (search) => (search.get('package') ? { packageId: Number(search.get('package')) } : {}),
    edit: {
      title: edit,
      load: calls.detail,
      call: calls.edit,
      allowedAction: 'edit',
      cancel: (id) => `/device/fota/taskmod/${id}`,
      values: ({ name, package: { id }, scope, delivery, remark }) => ({ name, packageId: id, scope, delivery, remark }),
      copied: (row, search) => (search.has('back') ? backFrom(row, search) : copyOf(row)),
    },
    steps: [
      {
        key: 'what',
        title: 'firmware.task.step.what',
        fields: [
          { name: 'name', label: 'firmware.task.name' },
          { name: 'packageId', label: 'firmware.task.package', help: 'firmware.task.packageHelp', useChoices: usePackages },
          { name: 'remark', label: 'firmware.task.remark', kind: 'area', wide: true },
        ],
      },
      {
        key: 'whom',
        title: 'firmware.task.step.whom',
        names: ['scope'],
        render: (values, set) => (
          <ScopeFields
            taskClass={taskClass}
            packageId={values.packageId}
            value={values.scope as Values}
            onChange={(scope) => set('scope', scope)}
          />
        ),
      },
      {
        key: 'how',
        title: 'firmware.task.step.how',
        names: ['delivery'],
        parts: { delivery: deliveryFields },
        render: (_values, set, form) => <DeliveryFields form={form} onChange={(delivery) => set('delivery', delivery)} />,
      },
      {
        key: 'check',
        title: 'firmware.task.step.check',
        fields: [{ name: 'release', label: 'firmware.task.releaseNow', kind: 'switch' }],
        render: (values) => {
          const input = previewOf(values);
          return (
            <div className="m-stack">
              {taskClass === taskClasses.preset ? <Note tone="info">{t('firmware.pretask.about')}</Note> : null}
              <TaskReview taskClass={taskClass} values={values} />
              {input ? <TaskPreview call={calls.preview} input={input} /> : null}
            </div>
          );
        },
      },
    ],
    useSubmit,
    rules: ({ scope, delivery }) => ({
      ...(isScope(scope) ? {} : { scope: t('fault.SCOPE_EMPTY') }),
      ...(endsTooEarly(delivery) ? { 'delivery.expiresAt': t('fault.EXPIRY_PAST') } : {}),
    }),
    done: (task) => `/device/fota/taskmod/${task.id}`,
    cancel,
    successText: ({ release }, { name, total }): Words => {
      if (!release) return { key: 'done.saved', params: { name } };
      return total > 0
        ? { key: 'firmware.task.releasedTo', params: { name, count: total } }
        : { key: 'firmware.task.releasedNamed', params: { name } };
    },
  });

export const taskWizard = wizardOf({
  calls: taskCalls,
  taskClass: taskClasses.daily,
  add: 'firmware.task.add',
  edit: 'firmware.task.editTitle',
  cancel: '/device/fota',
  useSubmit: useReleaseWords,
});
export const preTaskWizard = wizardOf({
  calls: preTaskCalls,
  taskClass: taskClasses.preset,
  add: 'firmware.pretask.add',
  edit: 'firmware.pretask.editTitle',
  cancel: '/device/fota?tab=pre',
  useSubmit: usePreTaskWords,
});
