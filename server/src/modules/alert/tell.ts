import type { TextKey } from '@mooring/contract/texts';
import { sql } from 'kysely';
import type { Db } from '../../platform/context.ts';
import { move } from '../../platform/db/move.ts';
import { inSavepoint } from '../../platform/db/savepoint.ts';
import { type Audience, audienceOf, peopleFor } from './audience.ts';
import { withinBudget } from './mail-budget.ts';
import { alarmRows } from './open-alarms.ts';
import { type Alarms, heldBack, type Said, say, type Voice } from './say.ts';

/** From so many of one rule at once on, they are told in one message. */
const STORM = 5;
const MOST = 5000;
export const ALARMS = '/device/alertPush';

export interface Due {
  readonly id: number;
  readonly rule_id: number;
  readonly device_id: number | null;
  readonly label: string;
  readonly kind: string;
  readonly state: string;
  readonly about: Readonly<Record<string, string | number>>;
  readonly place: string;
  readonly dept_path: string;
  /** People heard of it before. */
  readonly told: boolean;
}
interface Rule extends Voice {
  readonly receiver_ids: readonly (number | string)[];
  readonly escalate_ids: readonly (number | string)[];
}

/** What an alarm says; `what` is said in the language of who reads it. */
export const paramsOf = (rule: Pick<Voice, 'name'>, of: Pick<Due, 'label' | 'kind' | 'about' | 'place'>): Said['params'] => ({
  ...of.about,
  rule: rule.name,
  label: of.label,
  place: of.place,
  whatKey: `alert.what.${of.kind}` satisfies TextKey | string,
});

/** Alarms that are due, held by this transaction. Nobody is told of a muted terminal or rule until that is over, nor by a rule that is switched off. */
async function dueBy(db: Db, column: 'tell_at' | 'escalate_at', now: Date): Promise<Due[]> {
  const at = sql.ref(`t.${column}`);
  const { rows } = await sql<Due>`
    with due as materialized (
      select t.* from alert_alarm t join alert_rule a on a.id = t.rule_id and a.enabled and (a.muted_until is null or a.muted_until <= ${now})
      where ${at} <= ${now} and not exists (select from alert_mute m where m.device_id = t.device_id and m.until > ${now} and starts_with(a.dept_path, m.by_path))
      order by ${at} limit ${MOST} for update of t skip locked
    )
    select t.id, t.rule_id, t.device_id, t.label, t.kind, t.state, t.about, t.dept_path, t.told, concat_ws(' · ', p.name, o.name, m.name) as place
    from due t join org_dept o on o.id = t.dept_id left join product_product p on p.id = t.product_id
      left join device d on d.id = t.device_id and starts_with(d.dept_path, t.dept_path) left join merchant_merchant m on m.id = d.merchant_id order by t.id`.execute(
    db,
  );
  return rows;
}

const rulesOf = async (db: Db, due: readonly Due[]): Promise<Map<number, Rule>> => {
  const rows = await db
    .selectFrom('alert_rule')
    .select(['id', 'name', 'priority', 'channels', 'quiet_from', 'quiet_to', 'quiet_through', 'dept_path', 'receiver_ids', 'escalate_ids'])
    .where('id', '=', sql<number>`any(${[...new Set(due.map((one) => one.rule_id))]}::bigint[])`)
    .execute();
  return new Map(rows.map((row) => [row.id, { ...row, priority: row.priority as Voice['priority'] }]));
};

/** Where it is found, also when it is over. */
const linkTo = ({ id, rule_id, device_id }: Due) =>
  `${ALARMS}?tab=history&${device_id === null ? `h.ruleId=${rule_id}` : `h.deviceId=${device_id}`}&h.row=${id}`;
const linkToRule = (id: number) => `${ALARMS}?tab=history&h.ruleId=${id}`;

/** When, and where people reach the console, as far as that is known. */
interface Told {
  readonly now: Date;
  readonly origin: string | undefined;
}
type Sort = 'Opened' | 'Ended' | 'Escalated';
/** One message for each, or one for all of them. */
function wordsFor(rule: Rule, sort: Sort, list: readonly Due[]): Said[] {
  const ids = list.map(({ id }) => id);
  const repeat = sort === 'Opened' && list.every(({ told }) => told);
  if (list.length >= STORM)
    return [{ name: `alarm${sort}Many`, params: { rule: rule.name, n: list.length }, link: linkToRule(rule.id), ids, repeat }];
  return list.map((one) => ({
    name: `alarm${sort}`,
    params: paramsOf(rule, one),
    link: linkTo(one),
    ids: [one.id],
    repeat: sort === 'Opened' && one.told,
  }));
}

async function tellRule(db: Db, rule: Rule, sort: Sort, list: readonly Due[], { now, origin }: Told): Promise<void> {
  if (list.length === 0) return;
  const lists = sort === 'Escalated' ? rule.escalate_ids : rule.receiver_ids;
  const tell = async (whom: Audience, some: readonly Due[]) => {
    const alarms = { n: some.length, ids: some.map(({ id }) => id) };
    const awake = await heldBack(db, rule, whom, alarms, now);
    const words = wordsFor(rule, sort, some);
    const addresses = await withinBudget(db, rule, awake.addresses, words.length, alarms, now);
    for (const said of words) await say(db, rule, { ...awake, addresses }, said, now, origin);
  };
  const { addresses } = await audienceOf(db, lists, rule.dept_path);
  if (addresses.length > 0) await tell({ people: [], addresses }, list);
  const hearing = await peopleFor(
    db,
    lists,
    rule.dept_path,
    list.map((one) => one.dept_path),
  );
  // Those who hear of the same organisations hear the same.
  for (const people of Map.groupBy(hearing, (one) => one.paths.join(' ')).values()) {
    const paths = new Set(people[0]?.paths);
    await tell(
      { people, addresses: [] },
      list.filter((one) => paths.has(one.dept_path)),
    );
  }
}

/** Rule by rule: one that can't be told is tried again in the next minute, and keeps none of the others back. */
async function eachRule(db: Db, due: readonly Due[], tell: (rule: Rule, list: readonly Due[]) => Promise<void>): Promise<unknown[]> {
  const rules = await rulesOf(db, due);
  const failed: unknown[] = [];
  for (const [ruleId, list] of Map.groupBy(due, (one) => one.rule_id)) {
    const rule = rules.get(ruleId);
    if (rule) await inSavepoint(db, () => tell(rule, list)).catch((error: unknown) => failed.push(error));
  }
  return failed;
}

/** Tells what opened or ended since, and again what is still open where its rule says so: in the transaction that notes it. */
async function tellDue(db: Db, told: Told): Promise<unknown[]> {
  const { now } = told;
  return eachRule(db, await dueBy(db, 'tell_at', now), async (rule, list) => {
    await sql`update alert_alarm t set told = true, tell_at = case when t.state = 'open' then ${now}::timestamptz + make_interval(hours => a.repeat_hours) end
      from alert_rule a where a.id = t.rule_id and t.id = any(${list.map((one) => one.id)}::bigint[])`.execute(db);
    const ended = list.filter((one) => one.state === 'closed');
    await tellRule(
      db,
      rule,
      'Opened',
      list.filter((one) => !ended.includes(one)),
      told,
    );
    await tellRule(db, rule, 'Ended', ended, told);
  });
}

/** Nobody took it on in time: others hear of it, once. */
async function escalateDue(db: Db, told: Told): Promise<unknown[]> {
  return eachRule(db, await dueBy(db, 'escalate_at', told.now), async (rule, list) => {
    const ids = list.map((one) => one.id);
    const moved = await move(db, alarmRows, 'escalate', ids, { set: { level: sql`level + 1`, escalate_at: null } });
    // Of what somebody below the rule's organisation took on they hear all the same.
    const taken = list.filter(({ state }) => state === 'acknowledged').map(({ id }) => id);
    await sql`update alert_alarm set level = level + 1, escalate_at = null where id = any(${taken}::bigint[])`.execute(db);
    const open = new Set([...moved.map(({ id }) => id), ...taken]);
    await tellRule(
      db,
      rule,
      'Escalated',
      list.filter(({ id }) => open.has(id)),
      told,
    );
  });
}

interface Held {
  readonly id: number;
  /** Not of a rule that was switched off or muted meanwhile. */
  readonly speaks: boolean;
  readonly user_id: number | null;
  readonly email: string | null;
  readonly n: number;
  readonly alarm_ids: readonly (number | string)[];
  readonly voice: Rule;
}
/** After quiet hours: how many there were, in one message. Who left the lists of the rule meanwhile hears nothing. */
async function tellHeld(db: Db, { now, origin }: Told): Promise<unknown[]> {
  const failed: unknown[] = [];
  const { rows } = await sql<Held>`
    with due as materialized (
      select id, rule_id, user_id, email, n, alarm_ids from alert_held where due_at <= ${now} order by due_at limit ${MOST} for update skip locked
    )
    select due.id, due.user_id, due.email, due.n, due.alarm_ids, a.enabled and (a.muted_until is null or a.muted_until <= ${now}) as speaks, to_jsonb(a) as voice
    from due join alert_rule a on a.id = due.rule_id`.execute(db);
  for (const list of Map.groupBy(rows, ({ voice }) => voice.id).values()) {
    const [first] = list;
    if (!first) continue;
    const { voice } = first;
    const summary = ({ n, ids }: Alarms): Said => ({
      name: 'alarmHeld',
      params: { rule: voice.name, n },
      link: linkToRule(voice.id),
      ids,
    });
    await inSavepoint(db, async () => {
      await sql`delete from alert_held where id = any(${list.map(({ id }) => id)}::bigint[])`.execute(db);
      if (!first.speaks) return;
      const { people, addresses } = await audienceOf(db, [...voice.receiver_ids, ...voice.escalate_ids], voice.dept_path);
      for (const { user_id, email, n, alarm_ids } of list) {
        const alarms = { n, ids: alarm_ids.map(Number) };
        const whom = { people: people.filter(({ id }) => id === user_id), addresses: addresses.filter((one) => one.email === email) };
        const awake = await heldBack(db, voice, whom, alarms, now);
        const to = { ...awake, addresses: await withinBudget(db, voice, awake.addresses, 1, alarms, now) };
        await say(db, voice, to, summary(alarms), now, origin);
      }
    }).catch((error: unknown) => failed.push(error));
  }
  return failed;
}

/** Answers what failed. */
export const tellAll = async (db: Db, told: Told): Promise<unknown[]> => [
  ...(await escalateDue(db, told)),
  ...(await tellDue(db, told)),
  ...(await tellHeld(db, told)),
];
