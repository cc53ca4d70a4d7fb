import { GroupRule } from '@mooring/contract/device/group-calls';
import type { Criteria } from '../../../kit/list/list-url.ts';

interface AsRule {
  readonly rule: Criteria | null;
  /** A group is for its organisation and all below it. */
  readonly deptId?: number;
  /** What no rule asks: a place on the map, another group, what happened lately. */
  readonly left: readonly string[];
}

/** What a list is filtered by, as the rule of a new group. */
export function asRule({ below, ...criteria }: Criteria): AsRule {
  const rule = Object.fromEntries(Object.entries(criteria).filter(([field]) => field in GroupRule.shape));
  return {
    rule: Object.keys(rule).length > 0 ? rule : null,
    ...(typeof below === 'number' ? { deptId: below } : {}),
    left: Object.keys(criteria).filter((field) => !(field in GroupRule.shape)),
  };
}
