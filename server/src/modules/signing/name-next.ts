import { proveNext } from '@mooring/apk/api';
import type { ParsedInputOf } from '@mooring/contract/kit/call';
import { Fault, fault } from '@mooring/contract/kit/fault';
import { signingKeyCalls } from '@mooring/contract/signing/key';
import { keyLimits } from '@mooring/contract/signing/limits';
import type { AppContext } from '../../platform/app-context.ts';
import type { Ctx, Db } from '../../platform/context.ts';
import { derOf } from './certificate.ts';
import { namesOf } from './change-policy.ts';
import { changeKey } from './held-change.ts';
import { type KeyRow, keyById, secretOf } from './key.resource.ts';
import { isWider } from './policy.ts';
import { apkSigner, lineOf, nextOf } from './rotation.ts';
import type { Vault } from './vault/vault.ts';

type Input = ParsedInputOf<typeof signingKeyCalls.next>;

const refused = (name: string, params: Readonly<Record<string, string | number>> = {}) =>
  new Fault(name, { fields: { nextId: `fault.${name}` }, params: { ...params } });
const signsPackages = ({ profiles }: KeyRow): boolean => profiles.length === 0 || profiles.includes('apk');

/** Two lines are never joined: the proof of a key that was named before says nothing of the one that would name it. */
async function checkNext(db: Db, key: KeyRow, next: KeyRow, now: Date): Promise<void> {
  if (key.state !== 'active') throw new Fault('KEY_NOT_ACTIVE');
  if (!signsPackages(key)) throw new Fault('KEY_PROFILE');
  const present = await nextOf(db, key.id);
  if (present) throw refused('KEY_NEXT_THERE', { name: present.name });
  if (next.id === key.id || next.dept_id !== key.dept_id) throw refused('KEY_NEXT_OTHER');
  if (next.state !== 'active') throw new Fault('KEY_NOT_ACTIVE', { fields: { nextId: `signingKey.not.${next.state}` } });
  if (next.not_after <= now) throw refused('KEY_CERTIFICATE_OVER');
  if (!signsPackages(next)) throw refused('KEY_PROFILE');
  if (next.follows_id !== null || (await nextOf(db, next.id))) throw refused('KEY_NEXT_TAKEN');
  const line = await lineOf(db, key.id);
  // The same key in another store: Android takes each once.
  if (line.includes(next.certificate_sha256)) throw refused('KEY_NEXT_SAME');
  if (isWider(next, key)) throw refused('KEY_NEXT_WIDER', { name: key.name });
  if (line.length >= keyLimits.line) throw refused('KEY_NEXT_LONG', { most: keyLimits.line });
}

/** The old key signs the certificate of the next one, where it is: in the vault, or in the token. */
async function prove(db: Db, vault: Vault, key: KeyRow, next: KeyRow): Promise<Buffer> {
  const [certificate = Buffer.alloc(0)] = derOf(next.chain);
  return proveNext(apkSigner(vault, key, await secretOf(db, key)), certificate, key.proof ?? undefined);
}

/** What whoever approves it reads of the next key: its packages will be updates of those of the key that names it. */
async function saidOf(db: Db, next: KeyRow, seen: Readonly<Record<string, string>>) {
  const store = await db.selectFrom('signing_store').select(['name', 'kind']).where('id', '=', next.store_id).executeTakeFirstOrThrow();
  return {
    next: next.name,
    nextCertificate: next.certificate_sha256,
    nextStore: store.name,
    nextKind: store.kind,
    nextExportable: next.exportable,
    nextPackageNames: next.package_names,
    nextProducts: next.product_ids.map((one) => seen[one] ?? null),
    nextMostUses: next.most_uses,
  };
}
const empty = (said: object) => Object.fromEntries(Object.keys(said).map((name) => [name, null]));

export const nameNext = async (app: AppContext, ctx: Ctx, vault: Vault, input: Input) => {
  // Seen by whoever names it, in a transaction of its own.
  const seen = await ctx.inTx(async (db) => namesOf(db, (await keyById(db, input.nextId)).product_ids.map(Number)));
  const about = async (key: KeyRow, db: Db) => {
    const next = await keyById(db, input.nextId);
    await checkNext(db, key, next, ctx.now()).catch((error: unknown) => {
      // It became another since it was asked for.
      throw error instanceof Fault && ctx.approving !== undefined ? new Fault('CHANGE_OUTDATED') : error;
    });
    const said = await saidOf(db, next, seen);
    // What nobody may change until it is approved: which key it is, and what is read of it.
    const { nextProducts: _names, ...agreed } = said;
    const before = {
      ...empty(said),
      certificateSha256: key.certificate_sha256,
      agreed: { id: next.id, ...agreed, productIds: next.product_ids },
    };
    return {
      call: signingKeyCalls.next,
      target: 'keyNext' as const,
      before,
      after: { ...before, ...said },
      apply: async (db: Db) => {
        const proof = await prove(db, vault, key, next);
        const named = await db
          .updateTable('signing_key')
          .set({ follows_id: key.id, oldest_id: key.oldest_id ?? key.id, proof })
          .where('id', '=', next.id)
          .where('state', '=', 'active')
          .where('certificate_sha256', '=', next.certificate_sha256)
          .where('follows_id', 'is', null)
          .returning('id')
          .executeTakeFirst();
        if (!named) throw fault('OVERTAKEN');
      },
    };
  };
  return changeKey(ctx, app, input, about, async () => [input.nextId]);
};

/** What the next key signs from then on carries no proof; what it has signed keeps it. */
export const dropNext = (app: AppContext, ctx: Ctx, input: { readonly id: number }) => {
  let locked: number | undefined;
  const about = async (key: KeyRow, db: Db) => {
    const next = await nextOf(db, key.id);
    if (!next || next.id !== locked) throw fault('OVERTAKEN');
    const after = await nextOf(db, next.id);
    if (after)
      throw ctx.approving === undefined ? new Fault('KEY_NEXT_HANDED_ON', { params: { name: next.name } }) : new Fault('CHANGE_OUTDATED');
    return {
      call: signingKeyCalls.dropNext,
      target: 'keyDropNext' as const,
      before: { next: next.name, nextCertificate: next.certificate_sha256, nextId: next.id },
      after: { next: null, nextCertificate: null, nextId: next.id },
      apply: (db: Db) =>
        db
          .updateTable('signing_key')
          .set({ follows_id: null, oldest_id: null, proof: null })
          .where('id', '=', next.id)
          .where('follows_id', '=', key.id)
          .execute(),
    };
  };
  return changeKey(ctx, app, input, about, async (db) => {
    locked = (await nextOf(db, input.id))?.id;
    return locked === undefined ? [] : [locked];
  });
};
