import { stages } from '@mooring/contract/engines/approval/steps';
import { type TaskClass, taskClasses } from '@mooring/contract/engines/rollout/schemas';
import type { TaskCalls, TaskDetail } from '@mooring/contract/engines/rollout/task-calls';
import type { InputOf } from '@mooring/contract/kit/call';
import { useProducts } from '../../kit/choices.ts';
import type { FieldSpec, Values } from '../../kit/form/types.ts';
import { type Submit, type WizardStep, wizardPage } from '../../kit/form/wizard-page.tsx';
import { useCall } from '../../kit/queries.ts';
import type { Page } from '../../kit/route.ts';
import { Note } from '../../ui/states.tsx';
import { type TextKey, t, type Words, wordsOf } from '../../ui/words.ts';
import { usePackages } from './choices.ts';
import { ContentFields } from './content-fields.tsx';
import { HandInFields, handInFields } from './hand-in-fields.tsx';
import { pageOf, useKind } from './kind-context.tsx';
import { OpeningsOf } from './openings.tsx';
import { deltasPath } from './package-actions.ts';
import { whyNobody } from './refused.tsx';
import { bringsOf, isPackaged, type ReleaseKind } from './release-kind.ts';
import { usualRings, wrongRing } from './ring-draft.ts';
import { isNarrow, isScope } from './scope-values.ts';
import { TargetCount } from './target-count.tsx';
import { askedFor, backFrom, copyOf, subjectIn, waysOf } from './task-copies.ts';
import { DeliveryFields, deliveryFields } from './task-delivery.tsx';
import { TaskPreview } from './task-preview.tsx';
import { TaskReview } from './task-review.tsx';
import { ScopeFields } from './task-scope.tsx';

type Input = InputOf<TaskCalls['add']>;
type New = Partial<Input>;
type Preview = InputOf<TaskCalls['preview']>;

/** What is chosen to be sent, once enough is said. */
function subjectOf(
  kind: ReleaseKind,
  { packageId, content, productId }: New,
): Pick<Input, 'packageId' | 'content' | 'productId'> | undefined {
  if (isPackaged(kind)) return packageId ? { packageId } : undefined;
  if (!kind.content?.schema.safeParse(content).success) return undefined;
  return { content: kind.content.asked?.(content as Values) ?? content, productId: productId ?? null };
}
/** What the preview asks with, once enough is said. */
function previewOf(kind: ReleaseKind, values: New & { readonly id?: number }): Preview | undefined {
  const subject = subjectOf(kind, values);
  const { scope, delivery, id } = values;
  const edited = id === undefined ? {} : { taskId: id };
  return subject && isScope(scope) ? { ...subject, scope, ...edited, ...(delivery ? { delivery } : {}) } : undefined;
}

/** The server judges by its own clock. */
const startsTooEarly = (delivery: New['delivery']): boolean =>
  Boolean(delivery?.startAt) && Date.parse(delivery?.startAt ?? '') <= Date.now();

/** What is wrong with its rings, with the ring's number: there may be ten of them. */
function ringRules(delivery: New['delivery']): Record<string, string | undefined> {
  const wrong = wrongRing(delivery?.rings ?? []);
  return wrong ? { 'delivery.rings': t('ring.wrong', { ring: wrong.ring, text: wordsOf(wrong.words) }) } : {};
}

/** Where what differs is put to use. */
function deltasOf(kind: ReleaseKind, { packageId, content }: New): string | undefined {
  if (isPackaged(kind)) return kind.calls.differences && packageId ? deltasPath(kind, { id: packageId }) : undefined;
  return kind.versions?.deltas(content as Values);
}
/** Something is downloaded, of which terminals have versions. */
const isVersioned = (kind: ReleaseKind, values: New): boolean => kind.packages !== undefined || deltasOf(kind, values) !== undefined;

/** Terminals that run a newer version go back: where that can be seen, and taken back, among what was chosen. */
const allowingDowngrade = (kind: ReleaseKind, { delivery }: New, set: (name: 'delivery', value: unknown) => void) =>
  bringsOf(kind).versions ? () => set('delivery', { ...delivery, allowDowngrade: true }) : undefined;

/** Where it is approved, each stage opens a ring. */
const inRings = ({ delivery }: New, set: (name: 'delivery', value: unknown) => void) =>
  (delivery?.rings?.length ?? 1) < stages.length ? () => set('delivery', { ...delivery, rings: usualRings }) : undefined;

/** Before it starts, or before now. The server judges by its own clock. */
const endsTooEarly = (delivery: New['delivery']): boolean =>
  Boolean(delivery?.expiresAt) && Date.parse(delivery?.expiresAt ?? '') <= Math.max(Date.now(), Date.parse(delivery?.startAt ?? '') || 0);

/** "Release to 1,204 terminals"; to none, and none that may come later, there is nothing to release. */
function useReleaseWords(values: New, here: boolean): Submit {
  const kind = useKind();
  const input = previewOf(kind, values);
  const { data } = useCall(kind.calls.tasks.preview, input ?? nobody, { enabled: here && input !== undefined, keep: true });
  if (!values.release) return { words: 'firmware.task.saveDraft', without: handedIn };
  const isNobody = data?.matched === 0 && values.delivery?.laterMembers !== true;
  return {
    words: data?.approval ? 'approval.submit' : { key: 'firmware.task.releaseAct', params: { count: data?.matched ?? 0 } },
    refused: isNobody ? { text: whyNobody(data.refused) } : undefined,
    without: data?.approval === false ? handedIn : [],
  };
}
const handedIn = handInFields.map(({ name }) => name);
const nobody: Preview = { scope: { releaseScope: '0' } };
/** How many there will be nobody knows yet. */
const usePreTaskWords = (values: New): Submit => ({
  words: values.release ? 'firmware.pretask.releaseAct' : 'firmware.task.saveDraft',
  without: values.release ? [] : handedIn,
});

const remark: FieldSpec<Input> = { name: 'remark', label: 'firmware.task.remark', kind: 'area', wide: true };

/** What is sent: a package, or what is set and on which product. */
function whatStep(kind: ReleaseKind): WizardStep<Input> {
  const name = { name: 'name', label: 'firmware.task.name' } as const;
  if (isPackaged(kind)) {
    const chosen = {
      name: 'packageId',
      label: 'firmware.task.package',
      help: 'firmware.task.packageHelp',
      useChoices: usePackages,
    } as const;
    return { key: 'what', title: 'firmware.task.step.what', fields: [name, chosen, remark] };
  }
  const { content } = kind;
  return {
    key: 'what',
    title: content?.title ?? 'release.content',
    fields: [name, { name: 'productId', label: 'release.product', help: 'release.productHelp', useChoices: useProducts }],
    names: ['content'],
    parts: { content: content?.fields ?? [] },
    render: (_values, set, form) => content && <ContentFields content={content} form={form} onChange={(value) => set('content', value)} />,
  };
}

/** What the address says of the content; an address that says nothing leaves that of a copy alone. */
function contentFrom({ content }: ReleaseKind, search: URLSearchParams): New {
  const said = content?.from?.(search) ?? {};
  return Object.keys(said).length > 0 ? { content: { ...content?.initial, ...said } } : {};
}

function copiedBy({ content: of }: ReleaseKind, row: TaskDetail): New {
  const copy = copyOf(row);
  return row.content && of?.copied ? { ...copy, content: of.copied(row.content) } : copy;
}

interface WizardOf {
  readonly kind: ReleaseKind;
  readonly calls: TaskCalls;
  readonly taskClass: TaskClass;
  readonly add: TextKey;
  readonly edit: TextKey;
  readonly useSubmit: (values: New, here: boolean) => Submit;
}

function wizardOf({ kind, calls, taskClass, add, edit, useSubmit }: WizardOf): Page {
  const isPreset = taskClass === taskClasses.preset;
  const delivery = deliveryFields(kind, isPreset);
  const page = kind.of.screens.task;
  const wizard = wizardPage({
    title: add,
    call: calls.add,
    initial: { ...(kind.content ? { content: kind.content.initial } : {}), scope: { releaseScope: '0' }, release: true },
    from: (search) => ({ ...askedFor(search), ...contentFrom(kind, search) }),
    edit: {
      title: edit,
      load: calls.detail,
      call: calls.edit,
      allowedAction: 'edit',
      cancel: (id) => `${page}/${id}`,
      values: (row) => ({ ...subjectIn(row), name: row.name, scope: row.scope, delivery: row.delivery, remark: row.remark }),
      beside: { call: calls.previous, input: waysOf },
      copied: (row, search, ways) => (search.has('back') ? backFrom(kind, row, search, ways) : copiedBy(kind, row)),
    },
    steps: [
      whatStep(kind),
      {
        key: 'whom',
        title: 'firmware.task.step.whom',
        names: ['scope'],
        render: (values, set) => {
          const input = previewOf(kind, values);
          return (
            <div className="m-stack">
              <ScopeFields
                kind={kind}
                calls={calls}
                taskClass={taskClass}
                packageId={values.packageId}
                ofProduct={kind.packages !== undefined || typeof values.productId === 'number'}
                value={values.scope as Values}
                onChange={(scope) => set('scope', scope)}
              />
              {input ? <TargetCount call={calls.preview} input={input} onAllowDowngrade={allowingDowngrade(kind, values, set)} /> : null}
            </div>
          );
        },
      },
      {
        key: 'how',
        title: 'firmware.task.step.how',
        names: ['delivery'],
        parts: { delivery },
        render: (values, set, form) => {
          const input = isPreset ? undefined : previewOf(kind, values);
          return (
            <OpeningsOf value={input && { call: calls.preview, input }}>
              <DeliveryFields fields={delivery} form={form} onChange={(value) => set('delivery', value)} />
            </OpeningsOf>
          );
        },
      },
      {
        key: 'check',
        title: 'firmware.task.step.check',
        fields: [...(kind.content ? [remark] : []), { name: 'release', label: 'firmware.task.releaseNow', kind: 'switch' }],
        names: handedIn,
        render: (values, set, form) => {
          const input = previewOf(kind, values);
          return (
            <div className="m-stack">
              {input ? <HandInFields call={calls.preview} input={input} form={form} /> : null}
              {isPreset ? <Note tone="info">{t('firmware.pretask.about')}</Note> : null}
              <TaskReview kind={kind} taskClass={taskClass} values={values} />
              {input ? (
                <TaskPreview
                  call={calls.preview}
                  input={input}
                  deltas={deltasOf(kind, values)}
                  packaged={isVersioned(kind, values)}
                  absent={kind.versions?.absent}
                  waits={isPreset || values.delivery?.laterMembers === true}
                  onAllowDowngrade={allowingDowngrade(kind, values, set)}
                  onRings={inRings(values, set)}
                />
              ) : null}
            </div>
          );
        },
      },
    ],
    useSubmit,
    rules: ({ scope, delivery: chosen }) => ({
      ...(isNarrow(scope) ? {} : { scope: t('fault.SCOPE_EMPTY') }),
      ...(startsTooEarly(chosen) ? { 'delivery.startAt': t('fault.START_PAST') } : {}),
      ...ringRules(chosen),
      ...(endsTooEarly(chosen) ? { 'delivery.expiresAt': t('fault.EXPIRY_PAST') } : {}),
    }),
    done: (task) => `${page}/${task.id}`,
    cancel: isPreset ? `${kind.of.screens.list}?tab=pre` : kind.of.screens.list,
    successText: ({ release }, { name, total, state }): Words => {
      if (state === 'auditing') return { key: 'approval.submitted', params: { name } };
      if (!release) return { key: 'done.saved', params: { name } };
      return total > 0
        ? { key: 'firmware.task.releasedTo', params: { name, count: total } }
        : { key: 'firmware.task.releasedNamed', params: { name } };
    },
  });
  return pageOf([kind], wizard);
}

export const taskWizard = (kind: ReleaseKind): Page =>
  wizardOf({
    kind,
    calls: kind.calls.tasks,
    taskClass: taskClasses.daily,
    add: 'firmware.task.add',
    edit: 'firmware.task.editTitle',
    useSubmit: useReleaseWords,
  });
export const preTaskWizard = (kind: ReleaseKind, calls: TaskCalls): Page =>
  wizardOf({
    kind,
    calls,
    taskClass: taskClasses.preset,
    add: 'firmware.pretask.add',
    edit: 'firmware.pretask.editTitle',
    useSubmit: usePreTaskWords,
  });
