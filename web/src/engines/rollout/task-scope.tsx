import { type TaskClass, taskClasses } from '@mooring/contract/engines/rollout/schemas';
import type { TaskCalls } from '@mooring/contract/engines/rollout/task-calls';
import { merchantCalls } from '@mooring/contract/merchant/calls';
import { useMemo } from 'react';
import { useDepts, useGroups, useMerchants } from '../../kit/choices.ts';
import { SubForm } from '../../kit/form/sub-form.tsx';
import type { FieldSpec, Values } from '../../kit/form/types.ts';
import { mayCall } from '../../kit/session.ts';
import { useTags, useVersions } from './choices.ts';
import type { ReleaseKind } from './release-kind.ts';
import { scopeText } from './scope-name.tsx';
import { scopeOf } from './scope-values.ts';
import { SnList } from './sn-list.tsx';
import { UpdatedByControl } from './updated-by.tsx';

const is = (scope: string) => (values: Values) => values.releaseScope === scope;
const fieldsOf = (
  kind: ReleaseKind,
  calls: TaskCalls,
  taskClass: TaskClass,
  packageId: unknown,
  ofProduct: boolean,
): readonly FieldSpec[] => [
  {
    name: 'releaseScope',
    label: 'firmware.task.scope',
    kind: 'radio',
    wide: true,
    choices: (['0', '1', '2'] as const).map((value) => ({ value, label: scopeText(value, ofProduct) })),
  },
  {
    name: 'updatedBy',
    label: 'firmware.task.updatedBy',
    Control: UpdatedByControl,
    wide: true,
    when: (values) => is('1')(values) && Boolean(values.updatedBy),
  },
  { name: 'deptIds', label: 'firmware.task.depts', kind: 'multi', useChoices: useDepts, when: is('1') },
  { name: 'groupIds', label: 'firmware.task.groups', kind: 'multi', useChoices: useGroups, when: is('1') },
  {
    name: 'merchantIds',
    label: 'firmware.task.merchants',
    help: 'firmware.task.merchantsHelp',
    kind: 'multi',
    useChoices: useMerchants,
    when: (values) => is('1')(values) && mayCall(merchantCalls.search),
  },
  // Nobody knows what a terminal runs that was never in contact; and what is set has no version.
  ...(taskClass === taskClasses.daily && kind.packages
    ? [
        {
          name: 'firmware',
          label: 'firmware.task.versions',
          kind: 'multi',
          useChoices: () => useVersions(calls, packageId),
          when: is('1'),
        } as const,
      ]
    : []),
  { name: 'tags', label: 'firmware.task.tags', kind: 'multi', useChoices: useTags, when: is('1') },
  { name: 'sns', label: 'firmware.task.sns', help: 'firmware.task.snsHelp', Control: SnList, wide: true, when: is('2') },
];
interface ScopeProps {
  kind: ReleaseKind;
  calls: TaskCalls;
  taskClass: TaskClass;
  packageId: unknown;
  /** It is for one product alone. */
  ofProduct: boolean;
  value: Values | undefined;
  onChange: (scope: Values) => void;
}
export function ScopeFields({ kind, calls, taskClass, packageId, ofProduct, value, onChange }: ScopeProps) {
  const fields = useMemo(() => fieldsOf(kind, calls, taskClass, packageId, ofProduct), [kind, calls, taskClass, packageId, ofProduct]);
  return <SubForm fields={fields} value={{ releaseScope: '0', ...value }} onChange={(values) => onChange(scopeOf(values))} />;
}
