import { sql } from 'kysely';
import type { AppContext } from '../../platform/app-context.ts';
import type { Db } from '../../platform/context.ts';
import { move } from '../../platform/db/move.ts';
import { type Attempt, dropCertificate, dropPolicies, dropThing, putThing } from './aws-control.ts';
import { forgetHeld, type KeptCertificate, keepHeld } from './held.ts';
import type { Platform } from './line.ts';
import { platformOf } from './platform-rows.ts';
import { invalidateRegistrations, registrationRows } from './registration-rows.ts';

/** Of each platform. AWS allows ten requests a second of most kinds; a terminal takes five. */
const AT_ONCE = 8;
/** A process that ended in the middle is followed by another one after so long: each step may be done twice. */
const LEASE_SECONDS = 120;
const MOST_WAIT_SECONDS = 600;
const TRIES = 8;
/** Why a row is taken back, beside that a person asked for it: it stays to be read. */
const causes: readonly string[] = ['IOT_DEVICE_GONE', 'IOT_NO_CERTIFICATE'];
/** What is said of all of a platform: its other rows wait as well. */
const ofAll: readonly string[] = ['IOT_DNS', 'IOT_UNREACHABLE', 'IOT_SILENT', 'IOT_CLOSED', 'IOT_TLS', 'IOT_THROTTLED', 'IOT_BUSY'];

interface Due {
  readonly id: number;
  readonly customer_id: number;
  readonly state: 'waiting' | 'revoking';
  readonly reason: string | null;
  readonly thing_name: string;
  readonly thing_made: boolean;
  readonly certificates: readonly KeptCertificate[];
  readonly tries: number;
  readonly dept_path: string;
  readonly now_fingerprint: string | null;
  readonly pem: string | null;
  /** Of its terminal, that are not revoked here. */
  readonly unrevoked: readonly string[];
}

/** What is due of each platform, each row for one process, with the certificate that its terminal has now. */
async function take(app: AppContext): Promise<readonly Due[]> {
  const now = app.now();
  const { rows } = await app.unscoped((db) =>
    sql<Due>`
      with due as (
        select d.id from customer_iot c cross join lateral (
          select r.id from customer_registration r where r.customer_id = c.id and r.next_at <= ${now} and r.state in ('waiting', 'revoking')
            and (r.lease_until is null or r.lease_until <= ${now})
          order by r.next_at limit ${AT_ONCE} for update skip locked) d
        where c.kind = 'aws' and c.control_at <= ${now}
      ), taken as (
        update customer_registration r set lease_until = ${now}::timestamptz + make_interval(secs => ${LEASE_SECONDS}) from due where r.id = due.id returning r.*
      )
      select t.id, t.customer_id, t.state, t.reason, t.thing_name, t.thing_made, t.certificates, t.tries, t.dept_path, c.fingerprint as now_fingerprint,
        c.certificate as pem,
        array(select fingerprint from device_credential where device_id = t.device_id and revoked_at is null) as unrevoked
      from taken t left join lateral (
        select fingerprint, certificate from device_credential where device_id = t.device_id and revoked_at is null and expires_at > ${now}
        order by issued_at desc, id desc limit 1) c on true`.execute(db),
  );
  return rows;
}

/** Each of them lets nobody in any more, and is forgotten. */
async function dropHeld(app: AppContext, platform: Platform, row: Due, held: readonly KeptCertificate[]): Promise<Attempt<null>> {
  for (const one of held) {
    const dropped = await dropCertificate(platform, row.thing_name, one);
    if ('reason' in dropped) return dropped;
    await forgetHeld(app, row.id, one.id);
  }
  return { done: null };
}

async function register(app: AppContext, platform: Platform, row: Due): Promise<Attempt<KeptCertificate>> {
  const { pem, now_fingerprint: fingerprint, certificates } = row;
  // What was revoked here lets nobody in there, whatever becomes of the new one.
  const isRevoked = (one: KeptCertificate) => !row.unrevoked.includes(one.fingerprint);
  const dead = await dropHeld(app, platform, row, certificates.filter(isRevoked));
  if ('reason' in dead) return dead;
  if (pem === null || fingerprint === null) return { reason: 'IOT_NO_CERTIFICATE', retries: false };
  const [known] = certificates.filter((one) => one.fingerprint === fingerprint);
  const stale = (known?.policies ?? []).filter((one) => one !== platform.policy);
  const thing = { name: row.thing_name, mark: `${row.customer_id}-${row.id}` };
  const made = await putThing(platform, thing, pem, ({ arn, id, isThingOurs }) =>
    keepHeld(app, row.id, { arn, id, fingerprint, policies: [...stale, platform.policy] }, isThingOurs),
  );
  if ('reason' in made) return made;
  // It has let go of what it had before.
  const others = certificates.filter((one) => one.id !== made.done.id && !isRevoked(one));
  const dropped = await dropHeld(app, platform, row, others);
  if ('reason' in dropped) return dropped;
  const loose = await dropPolicies(platform, { ...made.done, policies: stale });
  if ('reason' in loose) return loose;
  return { done: { ...made.done, fingerprint, policies: [platform.policy] } };
}

async function takeBack(app: AppContext, platform: Platform, row: Due): Promise<Attempt<null>> {
  const dropped = await dropHeld(app, platform, row, row.certificates);
  return 'reason' in dropped || !row.thing_made ? dropped : dropThing(platform, row.thing_name);
}

const waitSeconds = ({ tries }: Due): number => Math.min(MOST_WAIT_SECONDS, 5 * 2 ** tries) * (0.75 + Math.random() / 2);
const inSeconds = (app: AppContext, seconds: number): Date => new Date(app.now().getTime() + seconds * 1000);

/** The platform, before its rows, as everybody writes them. */
async function putOffAll(db: Db, app: AppContext, row: Due): Promise<void> {
  await sql`update customer_iot set control_at = ${inSeconds(app, waitSeconds(row))} where id = ${row.customer_id}`.execute(db);
}
async function putOff(db: Db, app: AppContext, row: Due, reason: string): Promise<void> {
  await sql`
    update customer_registration set tries = tries + 1, reason = ${reason}, next_at = ${inSeconds(app, waitSeconds(row))}
    where id = ${row.id} and state = ${row.state}`.execute(db);
}

async function settle(app: AppContext, row: Due, attempt: Attempt<KeptCertificate | null>): Promise<void> {
  await app.unscoped(async (db) => {
    if ('reason' in attempt && ofAll.includes(attempt.reason)) await putOffAll(db, app, row);
    await sql`update customer_registration set lease_until = null where id = ${row.id}`.execute(db);
    const over = { next_at: null, tries: 0 };
    if ('reason' in attempt) {
      const { reason, retries } = attempt;
      if (retries && row.tries + 1 < TRIES) await putOff(db, app, row, reason);
      else await move(db, registrationRows, row.state === 'waiting' ? 'fail' : 'stick', [row.id], { set: { ...over, reason } });
    } else if (attempt.done === null) {
      const reason = row.reason !== null && causes.includes(row.reason) ? row.reason : null;
      const set = { ...over, reason, thing_made: false, fingerprint: null, policy: '', registered_at: null };
      await move(db, registrationRows, 'end', sql`id = ${row.id} and certificates = '[]'`, { set });
    } else {
      await keepHeld(app, row.id, attempt.done, false, db);
      const { fingerprint, policies } = attempt.done;
      // It is looked at once more: what became of the terminal meanwhile was seen by nobody.
      const set = { ...over, fingerprint, policy: policies[0] ?? '', reason: null, registered_at: app.now(), look_at: app.now() };
      await move(db, registrationRows, 'register', [row.id], { set });
    }
    // It was taken back meanwhile: what was made after that is undone as well.
    await move(db, registrationRows, 'recall', sql`id = ${row.id} and certificates <> '[]'`, { set: { next_at: app.now(), tries: 0 } });
    await invalidateRegistrations(app, db, row.dept_path);
  });
}

async function carryOut(app: AppContext, row: Due): Promise<void> {
  const platform = await app.unscoped((db) => platformOf(app, db, Number(row.customer_id)));
  if (!platform) return;
  await settle(app, row, row.state === 'waiting' ? await register(app, platform, row) : await takeBack(app, platform, row));
}

/** Registers and takes back what is due; answers how many. Each step counts as done where it was done before. */
export async function registerDue(app: AppContext): Promise<number> {
  const due = await take(app);
  const done = await Promise.allSettled(due.map((row) => carryOut(app, row)));
  for (const one of done)
    if (one.status === 'rejected') app.log.warn({ error: String(one.reason) }, 'a terminal is not registered; trying again');
  return due.length;
}
