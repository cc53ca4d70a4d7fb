import { sql } from 'kysely';
import type { Db } from '../../platform/context.ts';
import { mail } from '../../platform/mail/mail.ts';
import { type NotificationName, notify, wordsOf } from '../message/api.ts';
import { queueDelivery } from '../settings/api.ts';
import type { Address, Audience, Person } from './audience.ts';
import { quietUntil } from './quiet.ts';

export interface Said {
  readonly name: NotificationName;
  readonly params: Readonly<Record<string, string | number>>;
  readonly link: string;
  /** Which alarms it is about, for other systems. */
  readonly ids?: readonly number[];
  /** Said before, and still so. */
  readonly repeat?: boolean;
}
/** How many are told of, and which, as far as they are kept. */
export interface Alarms {
  readonly n: number;
  readonly ids: readonly number[];
}
/** How a rule speaks. */
export interface Voice {
  readonly id: number;
  readonly name: string;
  readonly priority: '1' | '2' | '3';
  readonly channels: readonly string[];
  readonly quiet_from: string;
  readonly quiet_to: string;
  readonly quiet_through: boolean;
  readonly dept_path: string;
}
type Channel = 'popup' | 'email';

const englishOf = ({ name, params }: Said) => wordsOf({ text_key: name, params, title: '', body: '' }, 'en');

/** `alarmOpenedMany` as `alarm.opened`. */
const eventOf = ({ name }: Said) => name.replace(/^alarm([A-Z][a-z]+).*$/, (_, what: string) => `alarm.${what.toLowerCase()}`);
/** What another system gets: the words that a mail has, what they are made of, and where people see it, whole where the address of the console is known. */
export function bodyFor(said: Said, priority: string, now: Date, origin = ''): { event: string; body: string } {
  const { whatKey: _, ...params } = said.params;
  const again = said.repeat ? { repeat: true } : {};
  const data = { ...params, ...englishOf(said), priority, link: `${origin}${said.link}`, ids: said.ids ?? [], ...again };
  return { event: eventOf(said), body: JSON.stringify({ type: eventOf(said), timestamp: now.toISOString(), data }) };
}

/** To these people in their own language, by the channels of the rule, and to addresses outside in the product's. */
export async function say(
  db: Db,
  voice: Pick<Voice, 'priority' | 'channels' | 'dept_path'>,
  to: Audience,
  said: Said,
  now: Date,
  origin?: string,
): Promise<void> {
  const { priority, dept_path: deptPath } = voice;
  const channels = voice.channels.filter((one): one is Channel => one === 'popup' || one === 'email');
  if (to.people.length > 0)
    await notify(db, {
      name: said.name,
      params: said.params,
      link: said.link,
      to: { users: to.people.map((one) => one.id) },
      deptPath,
      priority,
      type: '1',
      channels: ['centre', ...channels],
    });
  for (const { email, webhook_id } of to.addresses) {
    if (webhook_id === null) {
      await mail(db, { to: email, lang: 'en', template: 'message', params: englishOf(said), deptPath });
      continue;
    }
    const { event, body } = bodyFor(said, priority, now, origin);
    await queueDelivery(db, webhook_id, event, body);
  }
}

interface Late {
  readonly user_id: number | null;
  readonly email: string | null;
  readonly due_at: Date;
}
/** So many of the held ones are named. */
const NAMED = 1000;
/** They are told later how many there were: each once of a rule, however many come until then. */
export async function hold(db: Db, voice: Voice, late: readonly Late[], { n, ids }: Alarms): Promise<void> {
  if (late.length === 0) return;
  await db
    .insertInto('alert_held')
    .values(late.map((one) => ({ ...one, rule_id: voice.id, n, alarm_ids: ids.slice(0, NAMED), dept_path: voice.dept_path })))
    .onConflict((on) =>
      on.columns(['rule_id', 'user_id', 'email']).doUpdateSet((eb) => ({
        n: eb('alert_held.n', '+', n),
        alarm_ids: sql<
          number[]
        >`(array(select distinct unnest(alert_held.alarm_ids || excluded.alarm_ids) order by 1))[1:${sql.lit(NAMED)}]`,
      })),
    )
    .execute();
}

/** Whose quiet hours it is now is told afterwards how many there were. Answers the others. */
export async function heldBack(db: Db, voice: Voice, to: Audience, alarms: Alarms, now: Date): Promise<Audience> {
  if (voice.priority === '1' && voice.quiet_through) return to;
  const until = (zone: string) => quietUntil(now, zone, voice.quiet_from, voice.quiet_to);
  const quiet = [
    ...to.people.map(({ id, time_zone }) => ({ user_id: id, email: null, due_at: until(time_zone) })),
    ...to.addresses.map(({ email, time_zone }) => ({ user_id: null, email, due_at: until(time_zone) })),
  ].flatMap(({ due_at, ...one }) => (due_at ? [{ ...one, due_at }] : []));
  await hold(db, voice, quiet, alarms);
  return {
    people: to.people.filter((one: Person) => !until(one.time_zone)),
    addresses: to.addresses.filter((one: Address) => !until(one.time_zone)),
  };
}
