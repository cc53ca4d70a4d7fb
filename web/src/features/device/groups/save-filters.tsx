import { deviceCalls } from '@mooring/contract/device/calls';
import { readCriteria } from '../../../kit/list/list-url.ts';
import { useView } from '../../../kit/view.ts';
import { type TextKey, useFormat, useT } from '../../../ui/words.ts';
import { deviceTable } from '../device-table.ts';
import { asRule } from './as-rule.ts';
import { Add } from './group-form.tsx';

const labelOf = (field: string): TextKey => deviceTable.filters?.find((one) => one.field === field)?.label ?? 'map.area';

/** What the list is filtered by now, as the rule of a new group. */
export function SaveFilters({ onClose }: { onClose: () => void }) {
  const t = useT();
  const { search } = useView();
  const { timeZone } = useFormat();
  const { rule, deptId, left } = asRule(readCriteria(deviceCalls.page, search, timeZone));
  const names = [...new Set(left.map((field) => t(labelOf(field))))].join(', ');
  return (
    <Add
      onClose={onClose}
      given={{ kind: 'rule', rule, ...(deptId === undefined ? {} : { deptId }) }}
      about={left.length > 0 ? <p className="m-muted">{t('deviceGroup.notCarried', { names })}</p> : undefined}
    />
  );
}
