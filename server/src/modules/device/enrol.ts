import { sql } from 'kysely';
import { noteCustody } from '../../engines/custody/note-custody.ts';
import type { AppContext } from '../../platform/app-context.ts';
import type { Db } from '../../platform/context.ts';
import { lockSet } from '../../platform/db/lock-set.ts';
import { move, recordCreated } from '../../platform/db/move.ts';
import type { DeviceAuthority } from '../../platform/gateway/device-authority.ts';
import { type Issued, readRequest } from '../../platform/gateway/x509.ts';
import { homeOf } from '../../platform/unproven.ts';
import { keepShares, usableAt } from '../product/api.ts';
import { decideEnrolment } from './decide-enrolment.ts';
import { DEVICES, deviceRows, pendingRows, REGISTRATION } from './device-rows.ts';
import { findCode, useCode } from './enrol-codes.ts';
import { firstUse, type KeyProof, provesKey } from './enrol-once.ts';
import { countRule, findRule } from './enrol-rules.ts';
import { type FactoryProof, proveFactory, type Voucher } from './factory-proof.ts';

export interface EnrolRequest {
  readonly sn: string;
  readonly request: string;
  readonly code?: string | undefined;
  readonly product: string;
  readonly model?: string | undefined;
  readonly factory?: FactoryProof | undefined;
  readonly proof?: KeyProof | undefined;
  readonly ip: string;
}
export type Enrolled =
  | {
      readonly state: 'enrolled';
      readonly issued: Issued;
      readonly gen: number;
      readonly heartbeatSeconds: number;
      /** It holds its key at this moment, or nobody held this SN before: it may have a token at once. */
      readonly isFresh: boolean;
    }
  | { readonly state: 'asking' }
  | { readonly state: 'refused'; readonly reason: string };

interface DeviceRow {
  id: number;
  dept_path: string;
  status: string;
  deleted: boolean;
  product: string | null;
  keys: string[] | null;
}
interface PendingRow {
  id: number;
  state: 'asking' | 'accepted' | 'refused' | 'enrolled';
  product_id: number | null;
  dept_id: number | null;
  dept: string | null;
}

async function findDevice(db: Db, sn: string, now: Date): Promise<DeviceRow | undefined> {
  const found = await sql<DeviceRow>`
    select id, dept_path, status, deleted_at is not null as deleted, (select code from product_product p where p.id = d.product_id) as product,
      (select array_agg(key_hash) from device_credential c where c.device_id = d.id and c.revoked_at is null and c.expires_at > ${now}) as keys
    from device d where sn = ${sn} for update`.execute(db);
  return found.rows[0];
}

/** What the terminal says it is must be what its code or rule, or whoever expects it, says. Else every offer would fail there as another product's. */
async function isAnotherProduct(db: Db, asking: EnrolRequest, device: DeviceRow | undefined, productId: number | null | undefined) {
  if (device) return device.product !== null && device.product !== asking.product;
  if (!productId) return false;
  const row = await db.selectFrom('product_product').select('code').where('id', '=', productId).executeTakeFirst();
  return row?.code !== asking.product;
}

async function createDevice(
  db: Db,
  asking: EnrolRequest,
  productId: number | null | undefined,
  owner: { id: number; path: string },
  ofAnyLine: boolean,
): Promise<number | undefined> {
  const made = await sql<{ id: number }>`
    insert into device (sn, name, status, product_id, dept_id, dept_path, model)
    select ${asking.sn}, ${asking.sn}, '1', p.id, ${owner.id}, ${owner.path}, ${asking.model ?? null} from product_product p
    where ${productId ? sql`p.id = ${productId}` : sql`p.code = ${asking.product}`} and p.publish_status = '1'
      and (${ofAnyLine} or ${usableAt(sql`${owner.path}::text`)})
    on conflict (sn) do nothing returning id`.execute(db);
  const id = made.rows[0]?.id;
  if (id) await recordCreated(db, deviceRows, [id], null);
  return id;
}

/** So many terminals of one address may begin to ask within an hour, and so many by one key: a list that strangers fill is read by nobody. */
const MOST_OF_HOME = 300;
const MOST_OF_KEY = 5;
async function checkRoom(db: Db, app: AppContext, { sn, keyHash, home }: { sn: string; keyHash: string; home: string }): Promise<void> {
  const known = await sql`select from device_pending where sn = ${sn} and key_hash = ${keyHash}`.execute(db);
  if (known.rows.length > 0) return;
  // Always in this order, or two who ask would wait for each other.
  await lockSet(db, `pending:${keyHash}`);
  await lockSet(db, `pending-home:${home}`);
  const hourAgo = new Date(app.now().getTime() - 3_600_000);
  const { rows } = await sql<{ of_home: number; of_key: number }>`
    select (select count(*)::int from (select from device_pending where home = ${home} and first_at > ${hourAgo} limit ${MOST_OF_HOME}) h) as of_home,
      (select count(*)::int from (select from device_pending where key_hash = ${keyHash} limit ${MOST_OF_KEY}) k) as of_key`.execute(db);
  const [row] = rows;
  if (row && (row.of_home >= MOST_OF_HOME || row.of_key >= MOST_OF_KEY)) throw refusal('TOO_MANY_WAIT');
}

async function ask(
  db: Db,
  app: AppContext,
  asking: EnrolRequest,
  keyHash: string,
  of: { deptPath: string; factory: string | null; rule: string | null; codeOf: string | null },
): Promise<Enrolled> {
  const home = homeOf(asking.ip);
  await checkRoom(db, app, { sn: asking.sn, keyHash, home });
  await sql`
    insert into device_pending as p (sn, key_hash, product_code, model, ip, home, dept_path, factory, rule, code_of, first_at, last_at)
    values (${asking.sn}, ${keyHash}, ${asking.product}, ${asking.model ?? null}, ${asking.ip}, ${home}, ${of.deptPath}, ${of.factory}, ${of.rule}, ${of.codeOf}, ${app.now()}, ${app.now()})
    on conflict (sn, key_hash) do update set tries = p.tries + 1, last_at = excluded.last_at, ip = excluded.ip, product_code = excluded.product_code,
      model = excluded.model, dept_path = excluded.dept_path, factory = excluded.factory, rule = excluded.rule, code_of = excluded.code_of`.execute(
    db,
  );
  // A terminal that lost its certificate asks anew.
  await move(db, pendingRows, 'askAgain', sql`sn = ${asking.sn} and key_hash = ${keyHash}`);
  await app.invalidate(db, REGISTRATION, of.deptPath);
  return { state: 'asking' };
}

/** The nearest place above both. */
function above(one: string, other: string): string {
  const [a, b] = [one.split('.'), other.split('.')];
  const differs = a.findIndex((part, at) => part !== b[at]);
  return `${a.slice(0, differs < 0 ? -1 : differs).join('.')}.`;
}
const deptName = async (db: Db, id: number) =>
  (await db.selectFrom('org_dept').select('name').where('id', '=', id).executeTakeFirst())?.name ?? null;

interface Refusal extends Error {
  readonly refusal: string;
}
/** Ends the transaction without a trace: a refused terminal has used up nothing. */
const refusal = (reason: string): Refusal => Object.assign(new Error(reason), { refusal: reason });

/** Who vouches for it; nobody where it doesn't say so, and a refusal where what it says is wrong. */
async function vouchersOf(db: Db, app: AppContext, asking: EnrolRequest): Promise<readonly Voucher[]> {
  if (!asking.factory) return [];
  const found = await proveFactory(db, app.masterKey, { ...asking, proof: asking.factory }, app.now());
  if (typeof found === 'string') throw refusal(found);
  return found;
}

/** Lets a terminal in, notes that it asks, or refuses it; all of it in one transaction. */
export async function enrol(app: AppContext, authority: DeviceAuthority, asking: EnrolRequest): Promise<Enrolled> {
  try {
    return await inOneTx(app, authority, asking);
  } catch (error) {
    const reason = (error as Partial<Refusal>).refusal;
    if (reason) return { state: 'refused', reason };
    throw error;
  }
}

async function inOneTx(app: AppContext, authority: DeviceAuthority, asking: EnrolRequest): Promise<Enrolled> {
  const key = await readRequest(asking.request);
  if (!key) throw refusal('REQUEST_WRONG');
  if (app.config.ENROL_NONCE && !asking.proof && !asking.factory) throw refusal('NONCE_NEEDED');
  return app.unscoped(async (db) => {
    const now = app.now();
    if (asking.proof) {
      const proved = await provesKey(db, app.masterKey, { ...asking, spki: key.spki, proof: asking.proof }, now);
      if (proved !== 'ok') throw refusal(proved);
    }
    const device = await findDevice(db, asking.sn, now);
    const code = asking.code === undefined ? undefined : ((await findCode(db, asking.code, now)) ?? 'wrong');
    const product = await sql<{ id: number }>`select id from product_product where code = ${asking.product}`.execute(db);
    const vouchers = await vouchersOf(db, app, asking);
    const factory = vouchers.map((one) => one.path);
    const rule = await findRule(db, {
      sn: asking.sn,
      productId: product.rows[0]?.id,
      devicePath: device?.dept_path,
      ip: asking.ip,
      factory,
    });
    const pending = (
      await sql<PendingRow>`
      select p.id, p.state, p.product_id, p.dept_id, o.dept_path as dept from device_pending p left join org_dept o on o.id = p.dept_id
      where p.sn = ${asking.sn} and p.key_hash = ${key.keyHash}`.execute(db)
    ).rows[0];
    const decision = decideEnrolment({
      sn: asking.sn,
      keyHash: key.keyHash,
      device: device
        ? { deptPath: device.dept_path, disabled: device.status === '4', deleted: device.deleted, activeKeys: device.keys ?? [] }
        : undefined,
      code: code === undefined || code === 'wrong' ? code : { sn: code.sn, deptPath: code.dept_path },
      rule: rule ? { deptPath: rule.dept_path, onlyExpected: rule.only_expected } : undefined,
      factory,
      pending: pending?.state,
    });
    if (decision.do === 'refuse') return { state: 'refused', reason: decision.reason };
    if (decision.do === 'ask') {
      const claim = device && code && code !== 'wrong' ? code : undefined;
      return ask(db, app, asking, key.keyHash, {
        deptPath: device ? (claim ? above(device.dept_path, claim.dept_path) : device.dept_path) : '1.',
        factory: vouchers[0]?.name ?? null,
        rule: rule?.wants && !device ? `${rule.name} (${rule.dept_name})` : null,
        codeOf: claim ? await deptName(db, claim.dept_id) : null,
      });
    }

    const isFirst = await firstUse(db, key.mark, now);
    // Some makers sign the same each time: with a nonce it is new all the same.
    if (!isFirst && !asking.proof && !asking.factory) throw refusal('REQUEST_USED');
    // Signed before the code's row is locked: thousands may share one code.
    const issued = await authority.issue(asking.sn, asking.request);
    if (!issued) throw refusal('REQUEST_WRONG');
    let id = device?.id;
    const productId = code && code !== 'wrong' ? code.product_id : decision.by === 'person' ? pending?.product_id : rule?.product_id;
    // Who is in already stays, and a person may know better than the terminal.
    if (decision.by !== 'sameKey' && decision.by !== 'person' && (await isAnotherProduct(db, asking, device, productId)))
      throw refusal('PRODUCT_UNKNOWN');
    if (decision.by === 'code' && !(code && code !== 'wrong' && (await useCode(db, code.id)))) throw refusal('CODE_WRONG');
    if (decision.create) {
      const owner =
        code && code !== 'wrong'
          ? { id: code.dept_id, path: code.dept_path }
          : decision.by === 'person' && pending?.dept_id && pending.dept
            ? { id: pending.dept_id, path: pending.dept }
            : rule
              ? { id: rule.dept_id, path: rule.dept_path }
              : undefined;
      const wanted = productId ?? product.rows[0]?.id;
      if (wanted) await keepShares(db, wanted);
      id = owner ? await createDevice(db, asking, productId, owner, decision.by === 'person') : undefined;
      if (!id) throw refusal('PRODUCT_UNKNOWN');
      await noteCustody(db, [id], { event: 'entered', entryType: '2', by: '', now });
    }
    if (!id) throw refusal('ENROLMENT_REFUSED');
    if (decision.by === 'rule' && rule) await countRule(db, rule.id);
    const [voucher] = vouchers.filter((one) => (device?.dept_path ?? rule?.dept_path ?? '').startsWith(one.path));
    if (voucher && (decision.by === 'factory' || decision.by === 'rule'))
      await sql`update device_factory set accepted = accepted + 1 where id = ${voucher.id}`.execute(db);
    if (pending) await move(db, pendingRows, 'enrol', [pending.id]);
    if (decision.replace) await revokeCredentials(db, id, now);
    const isFresh = asking.proof !== undefined || asking.factory !== undefined || !device?.keys?.includes(key.keyHash);
    return keepCredential(db, app, id, issued, isFresh);
  });
}

/** Revokes certificates and tokens of a device, and has its connection cut. */
export async function revokeCredentials(db: Db, deviceId: number, now: Date): Promise<void> {
  await sql`update device_credential set revoked_at = ${now} where device_id = ${deviceId} and revoked_at is null`.execute(db);
  await sql`update device set credential_gen = credential_gen + 1 where id = ${deviceId}`.execute(db);
  await sql`insert into gateway_cut (sn) select sn from device where id = ${deviceId}`.execute(db);
}

/** A certificate for a device that proved itself. */
export async function issueFor(
  db: Db,
  app: AppContext,
  authority: DeviceAuthority,
  device: { id: number; sn: string; request: string },
): Promise<Enrolled> {
  const issued = await authority.issue(device.sn, device.request);
  return issued ? keepCredential(db, app, device.id, issued, true) : { state: 'refused', reason: 'REQUEST_WRONG' };
}

async function keepCredential(db: Db, app: AppContext, deviceId: number, issued: Issued, isFresh: boolean): Promise<Enrolled> {
  await sql`
    insert into device_credential (device_id, serial, fingerprint, key_hash, certificate, issued_at, expires_at)
    values (${deviceId}, ${issued.serial}, ${issued.fingerprint}, ${issued.keyHash}, ${issued.pem}, ${issued.issuedAt}, ${issued.expiresAt})`.execute(
    db,
  );
  // A terminal that begins anew may have forgotten how far it had counted.
  await sql`update device_presence set hello_order = null where device_id = ${deviceId} and hello_order is not null`.execute(db);
  const row = await sql<{ gen: number; heartbeat_seconds: number; dept_path: string }>`
    update device d set enrolled_at = coalesce(d.enrolled_at, ${app.now()}::timestamptz) from product_product p
    where d.id = ${deviceId} and p.id = d.product_id returning d.credential_gen as gen, p.heartbeat_seconds, d.dept_path`.execute(db);
  const { gen = 0, heartbeat_seconds: heartbeatSeconds = 300, dept_path: path = '1.' } = row.rows[0] ?? {};
  await app.invalidate(db, DEVICES, path);
  await app.invalidate(db, REGISTRATION, path);
  return { state: 'enrolled', issued, gen, heartbeatSeconds, isFresh };
}
