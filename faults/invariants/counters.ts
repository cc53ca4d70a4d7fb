import type { Invariant } from './invariant.ts';

/** Sums that the writers keep, beside the rows that they count. Each answers what differs. */
const beside: Readonly<Record<string, string>> = {
  'devices by organisation, product, state and version': `
    select * from (
      select dept_path, product_id, status, firmware, sum(n)::int as n from device_tally group by 1, 2, 3, 4 having sum(n) <> 0
    ) kept full join (
      select dept_path, product_id, status, coalesce(firmware, '') as firmware, count(*)::int as "is" from device where deleted_at is null group by 1, 2, 3, 4
    ) rows using (dept_path, product_id, status, firmware) where n is distinct from "is"`,
  'results by task, ring and state': `
    select * from (
      select task_id, dept_path, ring, state, sum(n)::int as n from rollout_tally group by 1, 2, 3, 4 having sum(n) <> 0
    ) kept full join (
      select task_id, dept_path, ring, state, count(*)::int as "is" from rollout_result group by 1, 2, 3, 4
    ) rows using (task_id, dept_path, ring, state) where n is distinct from "is"`,
  'ends of results by minute': `
    select * from (select task_id, state, sum(n)::int as n from rollout_minute group by 1, 2 having sum(n) <> 0) kept
    full join (
      select task_id, state, count(*)::int as "is" from rollout_result where state in ('3', '4', '5', '6', '7') group by 1, 2
    ) rows using (task_id, state) where n is distinct from "is"`,
  'uses of the enrolment code': `
    select uses, (select count(*)::int from device) as "is" from device_enrol_code where uses <> (select count(*) from device)`,
};

export const counters: Invariant = {
  name: 'counters',
  async check(world) {
    const found: string[] = [];
    for (const [what, text] of Object.entries(beside)) {
      const rows = await world.query(text);
      if (rows.length > 0)
        found.push(`${what}: ${JSON.stringify(rows.slice(0, 3))}${rows.length > 3 ? ` and ${rows.length - 3} more` : ''}`);
    }
    return found;
  },
};
