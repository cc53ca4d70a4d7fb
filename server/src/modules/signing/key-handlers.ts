import type { ParsedInputOf } from '@mooring/contract/kit/call';
import { Fault, fault } from '@mooring/contract/kit/fault';
import { eventsFrom } from '@mooring/contract/kit/state-machine';
import { signingKeyCalls } from '@mooring/contract/signing/key';
import { signingKeyMachine } from '@mooring/contract/signing/state-machines';
import type { AppContext } from '../../platform/app-context.ts';
import type { Ctx, Db } from '../../platform/context.ts';
import { move } from '../../platform/db/move.ts';
import { inSavepoint } from '../../platform/db/savepoint.ts';
import type { Wire } from '../../platform/module.ts';
import type { Undone } from '../settings/api.ts';
import { generateKey, importKey, signerOf } from './add-key.ts';
import { certificateColumns, certificateRequest, chainIn } from './certificate.ts';
import { changePolicy, notOver } from './change-policy.ts';
import { exportedFile, exportedPassword, exportKey } from './export-key.ts';
import { changeKey } from './held-change.ts';
import { isLeft, KEY_GROUP, type KeyRow, keyById, keyRows, secretOf, signedApps } from './key.resource.ts';
import { dropNext, nameNext } from './name-next.ts';
import { nextOf } from './rotation.ts';
import { subjectBytes } from './subject.ts';
import { isTokenAway } from './vault/token.ts';
import type { Vault } from './vault/vault.ts';

const moves = {
  activate: { target: 'keyAdd', to: 'active' },
  resume: { target: 'keyResume', to: 'active' },
  retire: { target: 'keyRetire', to: 'retired' },
  destroy: { target: 'keyDestroy', to: 'destroyed' },
} as const;

/** One step of its life, which two people take. */
const step = (app: AppContext, vault: Vault, event: keyof typeof moves) => (ctx: Ctx, input: { readonly id: number }) =>
  changeKey(ctx, app, input, (key) => {
    // It replaces what a second person is to read of a new key by a request that says nothing.
    if (event === 'activate' && ctx.approving === undefined) throw fault('FORBIDDEN');
    if (!eventsFrom(signingKeyMachine, key.state).includes(event)) throw fault('OVERTAKEN');
    const { target, to } = moves[event];
    const isNew = event === 'activate';
    return {
      call: signingKeyCalls[event],
      target,
      before: isNew ? {} : { state: key.state },
      after: isNew ? {} : { state: to },
      apply: async (db) => {
        await move(db, keyRows, event, [key.id], { actorId: ctx.actor.userId });
        if (event === 'destroy') await destroy(db, vault, key);
      },
    };
  });

/** Where its token is away, perhaps for ever, it signs nothing from now on, and goes from the token when that is back. */
async function destroy(db: Db, vault: Vault, key: KeyRow): Promise<void> {
  const held = await secretOf(db, key);
  const isGone = await inSavepoint(db, async () => {
    await forget(db, key.id);
    // The last of all: what is gone from the token can't be taken back.
    await vault.destroy(held);
    return true;
  }).catch((error: unknown) => {
    if (!isTokenAway(error)) throw error;
    return false;
  });
  if (!isGone) await leave(db, key.id);
}

/** What the token has of it stays known until it is gone from there. */
async function leave(db: Db, id: number): Promise<void> {
  await db.deleteFrom('signing_export').where('key_id', '=', id).execute();
  await db.updateTable('signing_key').set({ remains: 'waits' }).where('id', '=', id).execute();
}

/** No copy of it is left but in backups that were made before, and in those of the token. */
async function forget(db: Db, id: number): Promise<void> {
  await db.deleteFrom('signing_export').where('key_id', '=', id).execute();
  await db.deleteFrom('signing_secret').where('key_id', '=', id).execute();
}

/** Two people know that the token won't come back, or have seen to it there. */
const writeOff = (app: AppContext, ctx: Ctx, input: { readonly id: number }) =>
  changeKey(ctx, app, input, (key) => {
    if (!isLeft(key)) throw fault('OVERTAKEN');
    return {
      call: signingKeyCalls.writeOff,
      target: 'keyWriteOff',
      // What is found of it meanwhile, on this token or another one, makes no other request of it.
      before: {},
      after: { remains: 'forgotten' },
      apply: async (db) => {
        await forget(db, key.id);
        await db.updateTable('signing_key').set({ remains: 'forgotten' }).where('id', '=', key.id).execute();
      },
    };
  });

async function hasSignedApps(db: Db, id: number): Promise<boolean> {
  const row = await db.selectFrom('signing_key').select(signedApps('signing_key.id').as('has')).where('id', '=', id).executeTakeFirst();
  return row?.has ?? false;
}

const changeChain = (app: AppContext, ctx: Ctx, input: ParsedInputOf<typeof signingKeyCalls.chain>) =>
  changeKey(ctx, app, input, async (key, db) => {
    notOver(key);
    const columns = certificateColumns(chainIn(input.certificates, key.public_key));
    // A proof names keys by their certificates: under another one it would lead nowhere.
    const isOther = columns.certificate_sha256 !== key.certificate_sha256;
    if (isOther && (key.proof || (await nextOf(db, key.id))))
      throw ctx.approving === undefined
        ? new Fault('KEY_IN_ROTATION', { fields: { certificates: 'fault.KEY_IN_ROTATION' } })
        : new Fault('CHANGE_OUTDATED');
    return {
      call: signingKeyCalls.chain,
      target: 'keyChain',
      before: { certificateSha256: key.certificate_sha256, issuer: key.issuer, notAfter: key.not_after, certificates: key.chain.length },
      after: {
        certificateSha256: columns.certificate_sha256,
        issuer: columns.issuer,
        notAfter: columns.not_after,
        certificates: columns.chain.length,
        ...(isOther && (await hasSignedApps(db, key.id)) ? { cutsOff: true } : {}),
      },
      apply: (db) =>
        db
          .updateTable('signing_key')
          .set({ ...columns, warned_days: null })
          .where('id', '=', key.id)
          .execute(),
    };
  });

async function requestCertificate(ctx: Ctx, vault: Vault, { id, subject }: ParsedInputOf<typeof signingKeyCalls.request>) {
  const key = await ctx.inTx((db) => keyById(db, id));
  subjectBytes(subject);
  if (key.state !== 'active') throw new Fault('KEY_NOT_ACTIVE');
  const held = await ctx.unscoped((db) => secretOf(db, key));
  const pem = await certificateRequest({ algorithm: key.algorithm as never, publicKey: key.public_key }, subject, signerOf(vault, held));
  ctx.audit({ target: `signing key ${key.name}`, after: { subject } });
  return { pem };
}

export const keyHandlers = (app: AppContext, vault: Vault) => ({
  exportKey: (ctx: Ctx, input: { readonly id: number }) => exportKey(app, ctx, vault, input),
  exportFile: (ctx: Ctx, input: { readonly id: number }, wire: Wire) => exportedFile(ctx, input, wire) as never,
  exportPassword: (ctx: Ctx, input: { readonly id: number }) => exportedPassword(ctx, vault, input),
  generate: (ctx: Ctx, input: ParsedInputOf<typeof signingKeyCalls.generate>) => generateKey(ctx, app, vault, input),
  import: (ctx: Ctx, input: ParsedInputOf<typeof signingKeyCalls.import>) => importKey(ctx, app, vault, input),
  activate: step(app, vault, 'activate'),
  resume: step(app, vault, 'resume'),
  retire: step(app, vault, 'retire'),
  destroy: step(app, vault, 'destroy'),
  writeOff: (ctx: Ctx, input: { readonly id: number }) => writeOff(app, ctx, input),
  policy: (ctx: Ctx, input: ParsedInputOf<typeof signingKeyCalls.policy>) => changePolicy(app, ctx, input),
  chain: (ctx: Ctx, input: ParsedInputOf<typeof signingKeyCalls.chain>) => changeChain(app, ctx, input),
  next: (ctx: Ctx, input: ParsedInputOf<typeof signingKeyCalls.next>) => nameNext(app, ctx, vault, input),
  dropNext: (ctx: Ctx, input: { readonly id: number }) => dropNext(app, ctx, input),
  request: (ctx: Ctx, input: ParsedInputOf<typeof signingKeyCalls.request>) => requestCertificate(ctx, vault, input),
});

/** A key that nobody else agreed to never was one. */
export const dropUnwanted: Undone = async (ctx, db, { target, subject_id: id, dept_path: path }) => {
  if (target !== 'keyAdd' || id === null) return;
  const gone = await move(db, keyRows, 'giveUp', [id]);
  if (gone.length === 0) return;
  const { kind } = await db
    .selectFrom('signing_key as k')
    .innerJoin('signing_store as s', 's.id', 'k.store_id')
    .select('s.kind')
    .where('k.id', '=', id)
    .executeTakeFirstOrThrow();
  await (kind === 'software' ? forget(db, id) : leave(db, id));
  await ctx.invalidate(db, KEY_GROUP, path);
};
