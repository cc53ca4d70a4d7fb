import { DeviceGroup, deviceGroupCalls } from '@mooring/contract/device/group-calls';
import { formDialogs } from '../../../kit/resource/form-dialogs.tsx';
import { RuleControl } from './rule.tsx';

/** A group that is there has no type to be chosen; of a static one there is no rule. */
const isByRule = (values: { kind?: unknown; rule?: unknown }) =>
  values.kind === 'rule' || ('id' in values && values.rule !== null && values.rule !== undefined);

export const { Add, Edit, edit } = formDialogs(DeviceGroup, deviceGroupCalls, {
  fields: [
    'name',
    {
      name: 'kind',
      kind: 'radio',
      choices: (['static', 'rule'] as const).map((kind) => ({ value: kind, label: `deviceGroup.kind.${kind}` })),
    },
    'deptId',
    { name: 'rule', Control: RuleControl, wide: true, needed: true, when: isByRule },
    'remark',
  ],
  initial: { kind: 'static' },
});
