import { type TaskClass, taskClasses } from '@mooring/contract/engines/rollout/schemas';
import { useMemo } from 'react';
import { useDepts } from '../../kit/choices.ts';
import { SubForm } from '../../kit/form/sub-form.tsx';
import type { FieldSpec, Values } from '../../kit/form/types.ts';
import { useProductOf, useTags, useVersions } from './choices.ts';
import { scopeOf } from './scope-values.ts';
import { SnList } from './sn-list.tsx';

const is = (scope: string) => (values: Values) => values.releaseScope === scope;
const fieldsOf = (productId: number | undefined, taskClass: TaskClass): readonly FieldSpec[] => [
  {
    name: 'releaseScope',
    label: 'firmware.task.scope',
    kind: 'radio',
    wide: true,
    choices: [
      { value: '0', label: 'firmware.task.scope.0' },
      { value: '1', label: 'firmware.task.scope.1' },
      { value: '2', label: 'firmware.task.scope.2' },
    ],
  },
  { name: 'deptIds', label: 'firmware.task.depts', kind: 'multi', useChoices: useDepts, when: is('1') },
  // Nobody knows what a terminal runs that was never in contact.
  ...(taskClass === taskClasses.daily
    ? [
        {
          name: 'firmware',
          label: 'firmware.task.versions',
          kind: 'multi',
          useChoices: () => useVersions(productId),
          when: is('1'),
        } as const,
      ]
    : []),
  { name: 'tags', label: 'firmware.task.tags', kind: 'multi', useChoices: useTags, when: is('1') },
  { name: 'sns', label: 'firmware.task.sns', help: 'firmware.task.snsHelp', Control: SnList, wide: true, when: is('2') },
];
interface ScopeProps {
  taskClass: TaskClass;
  packageId: unknown;
  value: Values | undefined;
  onChange: (scope: Values) => void;
}
export function ScopeFields({ taskClass, packageId, value, onChange }: ScopeProps) {
  const productId = useProductOf(packageId);
  const fields = useMemo(() => fieldsOf(productId, taskClass), [productId, taskClass]);
  return <SubForm fields={fields} value={{ releaseScope: '0', ...value }} onChange={(values) => onChange(scopeOf(values))} />;
}
