import { AlarmReceiver, alarmReceiverCalls } from '@mooring/contract/alert/receiver';
import { geofenceSee } from '@mooring/contract/geofence/geofence';
import { Fault, fault } from '@mooring/contract/kit/fault';
import { isAllowed } from '@mooring/contract/kit/permission';
import { originOf } from '@mooring/contract/kit/schema';
import { sql } from 'kysely';
import type { AppContext } from '../../platform/app-context.ts';
import { originForMail } from '../../platform/config/public-origin.ts';
import type { Ctx, Db } from '../../platform/context.ts';
import { addressFirst } from '../../platform/outbound/address-first.ts';
import { isSigningKey } from '../../platform/outbound/sign.ts';
import { type Resource, resource } from '../../platform/resource/resource.ts';
import { refuseUsed, usedColumns } from '../../platform/resource/used-by.ts';
import { findPeople } from '../account/api.ts';
import { countWithin } from '../auth/api.ts';
import { deliveriesOf, keepWebhook, sendToReceivers } from '../settings/api.ts';
import { type Audience, audienceOf } from './audience.ts';
import { bodyFor, say } from './say.ts';
import { ALARMS } from './tell.ts';

const SHOWN = 5;
/** Tests of one person, together with those of the mail server. */
const TESTS_AN_HOUR = 20;
/** The first of them by name, as far as the person sees them; how many more there are stands behind. */
const people = sql<string>`(
  select coalesce(string_agg(u.name, ', ' order by u.name) filter (where u.at <= ${SHOWN}), '') || case when count(*) > ${SHOWN} then ' +' || count(*) - ${SHOWN} else '' end
  from (select x.name, row_number() over (order by x.name) as at from account_user x where x.id = any(t.user_ids)) u)`;
/** Rules that tell it. Who sees the lists sees the rules; those of geofences go by theirs. */
const rulesFor = ({ actor }: Ctx) => ({
  rows: sql`alert_rule u where (u.receiver_ids @> array[t.id] or u.escalate_ids @> array[t.id])`,
  seen: sql<boolean>`(u.kind <> 'geofence' or ${isAllowed(actor.permissions, geofenceSee)}::boolean)`,
});

/** Says that this is how alarms come, and what other systems answered. */
async function sayTest(app: AppContext, ctx: Ctx, to: Audience, name: string, path: string, channels: readonly string[]) {
  // Counted also where the rest fails.
  const asked = await ctx.unscoped((db) => countWithin(db, `tests-by:${ctx.actor.userId}`, 60));
  if (asked.count > TESTS_AN_HOUR) throw fault('TOO_MANY', { seconds: asked.seconds });
  const said = { name: 'alarmTest', params: { name, by: ctx.actor.userName }, link: ALARMS } as const;
  const mailed = to.addresses.filter((one) => one.webhook_id === null);
  const webhooks = to.addresses.flatMap((one) => one.webhook_id ?? []);
  // Past the policy: people above the organisation of a list are on it too, and their messages are theirs alone.
  await ctx.unscoped((db) => say(db, { priority: '3', channels, dept_path: path }, { ...to, addresses: mailed }, said, ctx.now()));
  const { event, body } = bodyFor(said, '3', ctx.now(), originForMail(app.config));
  const answered = await sendToReceivers(app, webhooks, event, body);
  // A rule may name lists of an organisation above: what those answer is told to nobody below.
  const seen = answered.filter(({ deptPath }) => deptPath.startsWith(ctx.scope.path));
  return {
    people: to.people.length,
    mails: mailed.length,
    webhooks: seen.map(({ deptPath: _, ...one }) => one),
    unseen: answered.length - seen.length,
  };
}

/** The same to those who hear of a rule. */
export async function sayTestOf(
  app: AppContext,
  ctx: Ctx,
  rule: {
    readonly name: string;
    readonly receiver_ids: readonly (number | string)[];
    readonly channels: readonly string[];
    readonly dept_path: string;
  },
) {
  const to = await ctx.unscoped((db) => audienceOf(db, rule.receiver_ids, rule.dept_path));
  if (to.people.length + to.addresses.length === 0) throw new Fault('ALERT_RULE_UNHEARD');
  return sayTest(app, ctx, to, rule.name, rule.dept_path, rule.channels);
}

interface Written {
  readonly webhookUrl: string;
  readonly webhookSecret: string;
}
const LEAST_SECRET = 16;
const hostIn = (url: string) => (url === '' ? '' : new URL(url).host);
const wrong = (text: string) => new Fault('BAD_INPUT', { fields: { webhookSecret: text } });
/** The secret goes to the address that it was entered for, and to no other. */
function checkSecret({ webhookUrl, webhookSecret }: Written, before: string): void {
  if (webhookUrl === '') return;
  if (webhookSecret === '') {
    if (before === '') throw wrong('invalid.required');
    if (hostIn(before) !== hostIn(webhookUrl)) throw wrong('invalid.webhookSecretAgain');
    return;
  }
  if (!(webhookSecret.startsWith('whsec_') ? isSigningKey(webhookSecret) : webhookSecret.length >= LEAST_SECRET))
    throw wrong('invalid.webhookSecret');
}
const keep = (app: AppContext, db: Db, receiverId: number, name: string, { webhookUrl: url, webhookSecret: secret }: Written) =>
  keepWebhook(app, db, { receiverId }, { name, url, secret });

const sent = deliveriesOf(alarmReceiverCalls, 'receiver');
export const receiverExporter = sent.exporter;

export function makeReceivers(app: AppContext): Resource<typeof AlarmReceiver> {
  const made = resource(AlarmReceiver, alarmReceiverCalls, {
    table: 'alert_receiver',
    target: (row) => `receiver ${row.name}`,
    joined: (query, ctx) =>
      query
        .innerJoin('org_dept as o', 'o.id', 't.dept_id')
        .leftJoin('settings_webhook as w', 'w.receiver_id', 't.id')
        .select(['o.name as dept_name', people.as('people'), 'w.id as webhook_id', 'w.failing_since'])
        .select([...usedColumns([rulesFor(ctx)], sql<number>`alert_receiver_uses(t.id)`)]),
    // A list of large numbers comes as texts.
    shown: (row, ctx) => ({
      userIds: row.user_ids.map(Number),
      webhookUrl: isAllowed(ctx.actor.permissions, alarmReceiverCalls.update.can) ? row.webhook_url : originOf(row.webhook_url),
    }),
    cells: { userIds: () => '' },
    columns: async (_ctx, input, { before, db }) => {
      const { userIds, emails } = input;
      const once = { user_ids: [...new Set(userIds)], emails: [...new Set(emails.map((one) => one.toLowerCase()))] };
      if (once.user_ids.length + once.emails.length === 0 && input.webhookUrl === '')
        throw new Fault('ALARM_RECEIVER_EMPTY', { fields: { userIds: 'fault.ALARM_RECEIVER_EMPTY' } });
      checkSecret(input, before?.webhook_url ?? '');
      if (before) await keep(app, db, before.id, input.name, input);
      return once;
    },
    added: (_ctx, id, input, _rows, db) => keep(app, db, id, input.name, input),
    refuses: { delete: (row) => refuseUsed(row, 'ALARM_RECEIVER_IN_USE') },
    acts: { test: alarmReceiverCalls.test },
    handlers: {
      people: (ctx, input) => findPeople(ctx, { ...input, enabled: true }),
      ...sent.handlers,
      test: async (ctx, { id }) => {
        const found = await ctx.inTx((db) =>
          db.selectFrom('alert_receiver').select(['name', 'dept_path']).where('id', '=', id).executeTakeFirst(),
        );
        if (!found) throw fault('NOT_FOUND');
        const { name, dept_path } = found;
        ctx.audit({ target: `receiver ${name}` });
        return sayTest(app, ctx, await ctx.unscoped((db) => audienceOf(db, [id])), name, dept_path, ['email']);
      },
    },
  });
  return addressFirst(made, 'alarms', [alarmReceiverCalls.add, alarmReceiverCalls.update], ['webhookUrl']);
}
