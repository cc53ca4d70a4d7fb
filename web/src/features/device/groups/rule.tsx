import { deviceCalls } from '@mooring/contract/device/calls';
import { deviceGroupCalls, GroupRule } from '@mooring/contract/device/group-calls';
import type { ControlPart } from '../../../kit/form/types.ts';
import { CriteriaWords } from '../../../kit/list/criteria-words.tsx';
import { FilterFields } from '../../../kit/list/filter-bar.tsx';
import type { Criteria } from '../../../kit/list/list-url.ts';
import type { Filter } from '../../../kit/list/types.ts';
import { useCall } from '../../../kit/queries.ts';
import { useFormat, useT } from '../../../ui/words.ts';
import { deviceTable } from '../device-table.ts';

const own: readonly Filter<typeof deviceCalls.page>[] = [
  { field: 'text', label: 'device.search' },
  ...(deviceTable.filters ?? []).filter(({ field }) => field in GroupRule.shape),
];

/** How many meet a rule now, as far as it can be read. */
function Matching({ rule, of }: { rule: Criteria | null | undefined; of: { deptId: number } | { groupId: number } | undefined }) {
  const t = useT();
  const format = useFormat();
  const read = GroupRule.safeParse(rule);
  const found = useCall(deviceGroupCalls.preview, { ...of, rule: read.data ?? {} } as never, { enabled: read.success && of !== undefined });
  if (Object.keys(rule ?? {}).some((field) => !(field in GroupRule.shape))) return <p role="alert">{t('deviceGroup.rule.unread')}</p>;
  if (!found.data || !read.success) return null;
  const { total, capped } = found.data;
  return (
    <p className="m-muted" aria-live="polite">
      {t('deviceGroup.rule.matching', { n: total, count: format.total(total, capped) })}
    </p>
  );
}

/** The conditions of a group, by the filters that the list of terminals has. */
export function RuleControl({ value, onChange, values }: ControlPart<Criteria | null | undefined>) {
  // Of a rule that has a condition of another version the others stay, once it is changed.
  const chosen = Object.fromEntries(Object.entries(value ?? {}).filter(([field]) => field in GroupRule.shape));
  const filter = (change: Criteria) => {
    const next = Object.fromEntries(Object.entries({ ...chosen, ...change }).filter(([, one]) => one !== undefined));
    onChange(Object.keys(next).length > 0 ? next : null);
  };
  const { id, deptId } = values as { id?: number; deptId?: number };
  return (
    <div className="m-stack">
      <div className="m-fields">
        <FilterFields list={{ spec: deviceCallOnly, chosen, filter }} filters={own} />
      </div>
      <Matching rule={value} of={id !== undefined ? { groupId: id } : deptId !== undefined ? { deptId } : undefined} />
    </div>
  );
}
const deviceCallOnly = { call: deviceCalls.page };

export const RuleWords = ({ rule }: { rule: Criteria }) => <CriteriaWords call={deviceCalls.page} filters={own} criteria={rule} />;
