import { AlarmReceiver, alarmReceiverCalls } from '@mooring/contract/alert/receiver';
import { Fault, fault } from '@mooring/contract/kit/fault';
import { sql } from 'kysely';
import type { Ctx } from '../../platform/context.ts';
import { resource } from '../../platform/resource/resource.ts';
import { findPeople } from '../account/api.ts';
import { countWithin } from '../auth/api.ts';
import { type Audience, audienceOf } from './audience.ts';
import { say } from './say.ts';
import { ALARMS } from './tell.ts';

const SHOWN = 5;
/** Tests of one person, together with those of the mail server. */
const TESTS_AN_HOUR = 20;
/** The first of them by name, as far as the person sees them; how many more there are stands behind. */
const people = sql<string>`(
  select coalesce(string_agg(u.name, ', ' order by u.name) filter (where u.at <= ${SHOWN}), '') || case when count(*) > ${SHOWN} then ' +' || count(*) - ${SHOWN} else '' end
  from (select x.name, row_number() over (order by x.name) as at from account_user x where x.id = any(t.user_ids)) u)`;
const usedBy = sql<string | null>`(
  select r.name from alert_rule r where r.receiver_ids @> array[t.id] or r.escalate_ids @> array[t.id] order by r.id limit 1)`;

/** Says that this is how alarms come. */
export async function sayTest(ctx: Ctx, to: Audience, name: string, path: string, channels: readonly string[]) {
  // Counted also where the rest fails.
  const asked = await ctx.unscoped((db) => countWithin(db, `tests-by:${ctx.actor.userId}`, 60));
  if (asked.count > TESTS_AN_HOUR) throw fault('TOO_MANY', { seconds: asked.seconds });
  const said = { name: 'alarmTest', params: { name, by: ctx.actor.userName }, link: ALARMS } as const;
  // Past the policy: people above the organisation of a list are on it too, and their messages are theirs alone.
  await ctx.unscoped((db) => say(db, { priority: '3', channels, dept_path: path }, to, said));
  return { people: to.people.length, mails: to.addresses.length };
}

export const receivers = resource(AlarmReceiver, alarmReceiverCalls, {
  table: 'alert_receiver',
  target: (row) => `receiver ${row.name}`,
  joined: (query) =>
    query.innerJoin('org_dept as o', 'o.id', 't.dept_id').select(['o.name as dept_name', people.as('people'), usedBy.as('used_by')]),
  // A list of large numbers comes as texts.
  shown: (row) => ({ userIds: row.user_ids.map(Number) }),
  cells: { userIds: () => '' },
  columns: (_ctx, { userIds, emails }) => {
    const once = { user_ids: [...new Set(userIds)], emails: [...new Set(emails.map((one) => one.toLowerCase()))] };
    if (once.user_ids.length + once.emails.length === 0)
      throw new Fault('ALARM_RECEIVER_EMPTY', { fields: { userIds: 'fault.ALARM_RECEIVER_EMPTY' } });
    return once;
  },
  refuses: {
    delete: (row) => {
      const { used_by: name } = row as { used_by?: string | null };
      return name ? new Fault('ALARM_RECEIVER_IN_USE', { params: { name } }) : undefined;
    },
  },
  acts: { test: alarmReceiverCalls.test },
  handlers: {
    people: (ctx, input) => findPeople(ctx, { ...input, enabled: true }),
    test: async (ctx, { id }) => {
      const found = await ctx.db.selectFrom('alert_receiver').select(['name', 'dept_path']).where('id', '=', id).executeTakeFirst();
      if (!found) throw fault('NOT_FOUND');
      const { name, dept_path } = found;
      ctx.audit({ target: `receiver ${name}` });
      return sayTest(ctx, await ctx.unscoped((db) => audienceOf(db, [id])), name, dept_path, ['email']);
    },
  },
});
