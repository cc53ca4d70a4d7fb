import type { ParsedInputOf } from '@mooring/contract/kit/call';
import { Fault, fault } from '@mooring/contract/kit/fault';
import { signingKeyCalls } from '@mooring/contract/signing/key';
import { keyLimits, type StoreKind } from '@mooring/contract/signing/limits';
import type { AppContext } from '../../platform/app-context.ts';
import type { Ctx, Db } from '../../platform/context.ts';
import { unlessRefused } from '../../platform/db/constraint.ts';
import { lockSet } from '../../platform/db/lock-set.ts';
import { recordCreated } from '../../platform/db/move.ts';
import { inTurnOfOwner } from '../../platform/in-turn.ts';
import { certificateColumns, fingerprintOf, type SignBytes, selfSigned } from './certificate.ts';
import { firstPolicy, policyColumns } from './change-policy.ts';
import { holdChange } from './held-change.ts';
import { KEY_GROUP, keyRows } from './key.resource.ts';
import { beginMaking, endMaking, giveUpMaking, type Making } from './making.ts';
import { subjectBytes } from './subject.ts';
import type { Held, Made, SealedKeyFile } from './vault/protocol.ts';
import type { Vault } from './vault/vault.ts';

interface Store {
  readonly id: number;
  readonly name: string;
  readonly kind: StoreKind;
  readonly dept_id: number;
  readonly dept_path: string;
}
async function storeFor(ctx: Ctx, id: number): Promise<Store> {
  const store = await ctx.inTx((db) =>
    db.selectFrom('signing_store').select(['id', 'name', 'kind', 'dept_id', 'dept_path']).where('id', '=', id).executeTakeFirst(),
  );
  if (!store) throw fault('NOT_FOUND');
  return { ...store, kind: store.kind as StoreKind };
}

export const signerOf =
  (vault: Vault, held: Held): SignBytes =>
  (digest, data) =>
    vault.sign({ ...held, digest, data });

interface New extends Made {
  readonly name: string;
  readonly origin: 'generated' | 'imported';
  readonly chain: readonly Buffer[];
  readonly policy: Awaited<ReturnType<typeof firstPolicy>>;
}

const taken = ({ kind, constraint }: { kind: string; constraint: string }) => {
  if (kind !== 'unique') return undefined;
  return constraint === 'signing_key_known'
    ? new Fault('KEY_KNOWN', { fields: { file: 'fault.KEY_KNOWN' } })
    : new Fault('KEY_NAME_TAKEN', { fields: { name: 'fault.KEY_NAME_TAKEN' } });
};

/** Without what it leaves open by none. */
const said = (policy: New['policy']) => Object.fromEntries(Object.entries(policy).filter(([, value]) => value !== null));

/** In one transaction with the request that a second person decides on: without anybody who could, there is no key either. */
function keepKey(ctx: Ctx, app: AppContext, store: Store, made: New, making?: Making) {
  return ctx.unscoped(async (db) => {
    if (making) await endMaking(db, making);
    await lockSet(db, `signing store ${store.id}`);
    await checkRoom(db, store.id);
    const values = {
      store_id: store.id,
      name: made.name,
      algorithm: made.algorithm,
      exportable: made.exportable,
      origin: made.origin,
      fingerprint: fingerprintOf(made.publicKey),
      public_key: made.publicKey,
      ...certificateColumns(made.chain),
      ...policyColumns(made.policy),
      dept_id: store.dept_id,
      dept_path: store.dept_path,
      created_by: ctx.actor.userName,
      created_at: ctx.now(),
    };
    const { id } = await unlessRefused(
      db,
      () => db.insertInto('signing_key').values(values).returning('id').executeTakeFirstOrThrow(),
      taken,
    );
    await db.insertInto('signing_secret').values({ key_id: id, sealed: made.sealed }).execute();
    await recordCreated(db, keyRows, [id], ctx.actor.userId);
    const { algorithm, subject, fingerprint, origin, exportable, certificate_sha256: certificateSha256 } = values;
    const held = { store: store.name, kind: store.kind, notAfter: values.not_after.toISOString() };
    const after = { algorithm, subject, fingerprint, certificateSha256, origin, exportable, ...held, ...said(made.policy) };
    const change = { call: signingKeyCalls.activate, target: 'keyAdd', input: { id }, before: {}, after } as const;
    const key = { id, name: made.name, dept_id: store.dept_id, dept_path: store.dept_path };
    const outcome = await holdChange(ctx, app, db, key, change, async () => {});
    ctx.audit({ target: `signing key ${made.name}`, after: { ...after, ...outcome } });
    await ctx.invalidate(db, KEY_GROUP, store.dept_path);
    return outcome;
  });
}

async function checkRoom(db: Db, storeId: number): Promise<void> {
  const keys = await db
    .selectFrom('signing_key')
    .select('id')
    .where('store_id', '=', storeId)
    .where('state', '<>', 'destroyed')
    .limit(keyLimits.keysOfStore)
    .execute();
  if (keys.length >= keyLimits.keysOfStore) throw new Fault('KEY_STORE_FULL', { params: { most: keyLimits.keysOfStore } });
}

export async function generateKey(ctx: Ctx, app: AppContext, vault: Vault, input: ParsedInputOf<typeof signingKeyCalls.generate>) {
  const { subject, years, algorithm, name, exportable } = input;
  const store = await storeFor(ctx, input.storeId);
  subjectBytes(subject);
  const policy = await firstPolicy(ctx, input);
  if (store.kind === 'token' && exportable) throw new Fault('KEY_TOKEN_FIXED', { fields: { exportable: 'fault.KEY_TOKEN_FIXED' } });
  const making = store.kind === 'token' ? await beginMaking(ctx, vault) : undefined;
  const made = await vault.generate({ name, algorithm, exportable, reserved: making?.sealed });
  try {
    const certificate = await selfSigned(made, { subject, years, now: ctx.now() }, signerOf(vault, made));
    return await keepKey(ctx, app, store, { ...made, name, origin: 'generated', chain: [certificate], policy }, making);
  } catch (error) {
    if (making)
      await giveUpMaking(ctx, vault, making, made).catch(() =>
        ctx.log.warn({ key: name }, 'a key that was not kept goes from the token later'),
      );
    throw error;
  }
}

const IMPORTED_YEARS = 30;
interface SentFile {
  readonly file: string;
  readonly password?: string | undefined;
  readonly keyPassword?: string | undefined;
}
/** Sealed in the browser, and opened in the vault. */
export const fileOf = ({ file, password, keyPassword }: SentFile): SealedKeyFile => ({ file, password, keyPassword });

/** Whoever sends one after the other waits for their own. */
export const ownFiles = inTurnOfOwner({ atOnce: 1, queue: 2 });

/** File and password go to the vault, which answers what is public of them. */
export async function importKey(ctx: Ctx, app: AppContext, vault: Vault, input: ParsedInputOf<typeof signingKeyCalls.import>) {
  const { subject, name, exportable, alias } = input;
  const store = await storeFor(ctx, input.storeId);
  if (store.kind === 'token') throw new Fault('KEY_STORE_TOKEN', { fields: { storeId: 'fault.KEY_STORE_TOKEN' } });
  if (subject !== undefined) subjectBytes(subject);
  const policy = await firstPolicy(ctx, input);
  const made = await ownFiles(ctx.actor.userId, () => vault.import({ ...fileOf(input), alias, exportable }));
  if (made.chain.length === 0 && subject === undefined)
    throw new Fault('KEY_NO_CERTIFICATE', { fields: { subject: 'fault.KEY_NO_CERTIFICATE' } });
  const own = () => selfSigned(made, { subject: subject ?? '', years: IMPORTED_YEARS, now: ctx.now() }, signerOf(vault, made));
  const chain = made.chain.length > 0 ? made.chain : [await own()];
  return keepKey(ctx, app, store, { ...made, name, origin: 'imported', chain, policy });
}
