import { createPrivateKey, X509Certificate } from 'node:crypto';
import {
  IOT_COUNT_CAP,
  IOT_REPLAY_MOST,
  IotCustomer,
  iotCustomerCalls,
  MOST_IOT_CUSTOMERS,
  signInsOf,
} from '@mooring/contract/customer/customer';
import { IotMessage, iotMessageCalls } from '@mooring/contract/customer/message';
import { iotRegistrationMachine } from '@mooring/contract/customer/state-machines';
import { Fault } from '@mooring/contract/kit/fault';
import { sql } from 'kysely';
import type { AppContext } from '../../platform/app-context.ts';
import type { Db } from '../../platform/context.ts';
import { lockSet } from '../../platform/db/lock-set.ts';
import type { Handler } from '../../platform/module.ts';
import { addressFirst } from '../../platform/outbound/address-first.ts';
import { type Resource, resource } from '../../platform/resource/resource.ts';
import { overview } from './overview.ts';
import { invalidateCustomers, sealSecret } from './platform-rows.ts';
import { registrationsOf } from './registration-rows.ts';
import { testPlatform } from './test-platform.ts';

const wrong = (name: string, text = 'invalid.required') => new Fault('BAD_INPUT', { fields: { [name]: text } });

interface Written {
  readonly kind: keyof typeof signInsOf;
  readonly endpoint: string;
  readonly region: string;
  readonly controlEndpoint: string;
  readonly policy: string;
  readonly topic: string;
  readonly signIn: string;
  readonly userName: string;
  readonly certificate: string;
  readonly secret: string;
  readonly properties: string;
  readonly propertyNames: readonly string[];
  readonly events: string;
  readonly eventNames: readonly string[];
}

/** What one field alone doesn't show. */
function check(input: Written): void {
  const { kind, endpoint, signIn } = input;
  const isMqtt = new URL(endpoint).protocol === 'mqtts:';
  if (isMqtt !== (kind === 'mqtt')) throw wrong('endpoint', kind === 'mqtt' ? 'invalid.iotMqtts' : 'invalid.iotHttps');
  const known: readonly string[] = signInsOf[kind];
  if (!known.includes(signIn)) throw wrong('signIn', 'invalid.iotSignIn');
  if (kind !== 'https' && input.topic === '') throw wrong('topic');
  if (kind === 'aws' && input.region === '') throw wrong('region');
  if (kind === 'aws' && input.policy === '') throw wrong('policy');
  if ((signIn === 'password' || signIn === 'accessKey') && input.userName === '') throw wrong('userName');
  if (signIn === 'certificate' && input.certificate === '') throw wrong('certificate');
  if (input.properties === 'some' && input.propertyNames.length === 0) throw wrong('propertyNames');
  if (input.events === 'some' && input.eventNames.length === 0) throw wrong('eventNames');
}
/** A private key is one, and of the certificate beside it. */
function checkKey({ signIn, certificate, secret }: Written): void {
  if (signIn !== 'certificate') return;
  let isOf = false;
  try {
    isOf = new X509Certificate(certificate).checkPrivateKey(createPrivateKey(secret));
  } catch {
    throw wrong('secret', 'invalid.iotKey');
  }
  if (!isOf) throw wrong('secret', 'fault.IOT_CREDENTIALS');
}

interface Stood {
  readonly endpoint: string;
  readonly control_endpoint: string;
  readonly region: string;
  readonly sign_in: string;
  readonly certificate: string;
  readonly secret_sealed: Buffer;
}
const standing = Object.keys(iotRegistrationMachine.states).filter((state) => state !== 'revoked');
/** Whether anything at the other side isn't undone, as far as is known. */
const isHeld = (row: object): boolean => 'held' in row && row.held === true;
const originOf = (url: string) => (url === '' ? '' : new URL(url).host);
/** The secret as it is kept: a new one, or the one that stands there. It goes to the address that it was entered for, and to no other. */
function sealed(app: AppContext, input: Written, before: Stood | undefined): Buffer {
  if (input.secret !== '') {
    checkKey(input);
    return sealSecret(app, input.secret);
  }
  if (!before) throw wrong('secret');
  const isSame =
    originOf(before.endpoint) === originOf(input.endpoint) &&
    originOf(before.control_endpoint) === originOf(input.controlEndpoint) &&
    before.sign_in === input.signIn &&
    (input.signIn !== 'certificate' || before.certificate === input.certificate);
  if (!isSame) throw wrong('secret', 'invalid.iotSecretAgain');
  return before.secret_sealed;
}

/** What was made at the other side can be undone there alone: the place stays while anything of it stands. */
function checkPlace(input: Written, before: Stood): void {
  if (!isHeld(before)) return;
  const isMoved = {
    endpoint: originOf(before.endpoint) !== originOf(input.endpoint),
    controlEndpoint: before.control_endpoint !== input.controlEndpoint,
    region: before.region !== input.region,
  };
  for (const [name, moved] of Object.entries(isMoved)) if (moved) throw wrong(name, 'fault.IOT_CUSTOMER_REGISTERED');
}

async function checkRoom(db: Db, path: string): Promise<void> {
  await lockSet(db, `iotCustomers:${path}`);
  const { rows } = await sql<{ n: number }>`select count(*)::int as n from customer_iot where dept_path = ${path}`.execute(db);
  if ((rows[0]?.n ?? 0) >= MOST_IOT_CUSTOMERS) throw new Fault('IOT_CUSTOMERS_MANY');
}

const replay: Handler<typeof iotCustomerCalls.replay> = async (ctx, { id, since }) => {
  const row = await ctx.db.selectFrom('customer_iot').select(['name', 'dept_path']).where('id', '=', id).executeTakeFirst();
  if (!row?.dept_path.startsWith(ctx.scope.path)) throw new Fault('NOT_FOUND', { code: 404 });
  const { rows } = await sql<{ n: number; more: boolean; until: Date | null }>`
    with due as (
      select id, at, row_number() over (order by at, id) as place from (
        select id, at from customer_message where customer_id = ${id} and at >= ${since} and fate in ('sent', 'refused') order by at, id limit ${IOT_REPLAY_MOST + 1}) m
    ), queued as (
      update customer_message m set fate = 'waiting', again = m.again + (m.fate = 'sent')::int, tries = 0, breaks = 0, reason = null, ended_at = null
      from due where m.id = due.id and due.place <= ${IOT_REPLAY_MOST} and m.fate in ('sent', 'refused') returning m.id
    )
    select (select count(*)::int from queued) as n, (select count(*) > ${IOT_REPLAY_MOST} from due) as more,
      (select max(at) from due where place <= ${IOT_REPLAY_MOST}) as until`.execute(ctx.db);
  await invalidateCustomers(ctx, ctx.db);
  const { n = 0, more = false, until = null } = rows[0] ?? {};
  ctx.audit({ target: `iot platform ${row.name}`, after: { since, messages: n } });
  return { queued: n, more, until };
};

const capped = (from: ReturnType<typeof sql>) => sql<number>`(select count(*)::int from (select ${from} limit ${IOT_COUNT_CAP}) x)`;

export function makeCustomers(app: AppContext): Resource<typeof IotCustomer> {
  const made = resource(IotCustomer, iotCustomerCalls, {
    table: 'customer_iot',
    small: true,
    target: (row) => `iot platform ${row.name}`,
    joined: (query) =>
      query
        .innerJoin('org_dept as o', 'o.id', 't.dept_id')
        .select([
          'o.name as dept_name',
          capped(sql`from customer_message m where m.customer_id = t.id and m.fate = 'waiting'`).as('waiting'),
          capped(sql`from customer_registration r where r.customer_id = t.id and r.state = 'registered'`).as('registered'),
          sql<boolean>`exists (select from customer_registration r where r.customer_id = t.id and r.state = any(${standing}::text[]))`.as(
            'held',
          ),
        ]),
    // Lists of large numbers come as texts.
    shown: (row) => ({ productIds: row.product_ids.map(Number), dropped: Number(row.dropped) }),
    columns: async (_ctx, input, { before, path, db }) => {
      if (!before) await checkRoom(db, path);
      const whole = { ...input, kind: before ? (before.kind as Written['kind']) : input.kind };
      check(whole);
      if (before) checkPlace(whole, before);
      return {
        secret_sealed: sealed(app, whole, before),
        next_at: sql`'-infinity'::timestamptz`,
        control_at: sql`'-infinity'::timestamptz`,
        tries: 0,
        refusals: 0,
      };
    },
    refuses: { delete: (row) => isHeld(row) && 'IOT_CUSTOMER_REGISTERED' },
    holdsFirst: (db, id) => lockSet(db, registrationsOf(id)),
    acts: { test: iotCustomerCalls.test, replay: iotCustomerCalls.replay },
    handlers: { overview, replay, test: testPlatform(app) },
  });
  return addressFirst(made, 'iot', [iotCustomerCalls.add, iotCustomerCalls.update], ['endpoint', 'controlEndpoint']);
}

export const messages: Resource<typeof IotMessage> = resource(IotMessage, iotMessageCalls, {
  table: 'customer_message',
  target: (row) => `iot platform ${row.customer_id}`,
  shown: (row) => ({ seq: Number(row.seq) }),
});
