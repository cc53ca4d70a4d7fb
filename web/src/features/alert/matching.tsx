import { type ConditionKind, conditionOf, paramsOf } from '@mooring/contract/alert/conditions';
import { alertRuleCalls } from '@mooring/contract/alert/rule';
import type { Values } from '../../kit/form/types.ts';
import { useCall } from '../../kit/queries.ts';
import { useSettled } from '../../kit/settled.ts';
import { useFormat, useT } from '../../ui/words.ts';

const lists = { all: undefined, depts: 'deptIds', groups: 'groupIds', products: 'productIds' } as const;

/** What is asked, as far as the form can be read: not while somebody has still to choose whose terminals these are. */
function askedOf(values: Values) {
  const kind = values.kind as ConditionKind;
  const { deptId, scope = 'all' } = values as { deptId?: number; scope?: keyof typeof lists };
  const params = paramsOf(kind).safeParse(values.params ?? {});
  const list = lists[scope];
  const chosen = list ? (values[list] as readonly number[] | undefined) : undefined;
  const isWhole = conditionOf(kind).of === 'terminal' && deptId !== undefined && params.success && (!list || (chosen ?? []).length > 0);
  return isWhole ? { deptId, kind, params: params.data, scope, ...(list ? { [list]: chosen } : {}) } : undefined;
}

/** How many terminals a rule would raise an alarm for now. */
export function Matching({ values }: { values: Values }) {
  const t = useT();
  const format = useFormat();
  const { value: asked, isNow } = useSettled(askedOf(values));
  const found = useCall(alertRuleCalls.preview, asked as never, { enabled: asked !== undefined, keep: true });
  if (!found.data || asked === undefined || !isNow) return null;
  const { met, seen, sns, isAll } = found.data;
  const counts = { met, count: format.number(met), seen, of: format.number(seen) };
  return (
    <p className="m-muted" aria-live="polite">
      {t(isAll ? 'alertRule.matching' : 'alertRule.matchingFirst', counts)}
      {sns.length > 0 ? ` ${sns.join(', ')}${met > sns.length ? ' …' : ''}` : ''}
    </p>
  );
}
