import { Fault } from '@mooring/contract/kit/fault';
import { signingKeyCalls } from '@mooring/contract/signing/key';
import type { AppContext } from '../../platform/app-context.ts';
import type { Ctx, Db } from '../../platform/context.ts';
import type { Wire } from '../../platform/module.ts';
import { areOneHand, weekBefore } from '../access/api.ts';
import { derOf } from './certificate.ts';
import { changeKey } from './held-change.ts';
import { type KeyRow, keyById, secretOf } from './key.resource.ts';
import type { Vault } from './vault/vault.ts';

const DAY = 86_400_000;

type Exported = Awaited<ReturnType<Vault['export']>>;
/** The file is for who asked, its password for who approved: neither has the key alone. */
async function keepExport(ctx: Ctx, db: Db, key: KeyRow, { file, passwordSealed }: Exported): Promise<void> {
  const request = await db
    .selectFrom('settings_change_request')
    .select('author_id')
    .where('id', '=', ctx.approving ?? 0)
    .executeTakeFirst();
  await db.deleteFrom('signing_export').where('key_id', '=', key.id).execute();
  const values = {
    key_id: key.id,
    file_for: request?.author_id ?? null,
    password_for: ctx.actor.userId,
    expires_at: new Date(ctx.now().getTime() + DAY),
    dept_path: key.dept_path,
  };
  const { id } = await db.insertInto('signing_export').values(values).returning('id').executeTakeFirstOrThrow();
  await db.insertInto('signing_export_secret').values({ export_id: id, file, password_sealed: passwordSealed }).execute();
}

const checkLeaves = (key: KeyRow) => {
  if (!key.exportable || ['waiting', 'destroyed'].includes(key.state)) throw new Fault('KEY_NOT_EXPORTABLE');
};

/** Made before the transaction that keeps it: no lock is held while the vault works. */
async function exportOf(ctx: Ctx, vault: Vault, id: number) {
  const key = await ctx.inTx((db) => keyById(db, id));
  checkLeaves(key);
  const held = await ctx.unscoped((db) => secretOf(db, key));
  return { certificate: key.certificate_sha256, made: await vault.export({ ...held, name: key.name, chain: derOf(key.chain) }) };
}

/** Only of a key that was made or imported as one that may leave. Fault: KEY_NOT_EXPORTABLE. */
export async function exportKey(app: AppContext, ctx: Ctx, vault: Vault, input: { readonly id: number }) {
  const ready = ctx.approving === undefined ? undefined : await exportOf(ctx, vault, input.id);
  return changeKey(ctx, app, input, (key) => {
    checkLeaves(key);
    return {
      call: signingKeyCalls.exportKey,
      target: 'keyExport',
      before: { state: key.state },
      after: { state: key.state, fingerprint: key.fingerprint, certificateSha256: key.certificate_sha256 },
      apply: async (db) => {
        if (ready?.certificate !== key.certificate_sha256) throw new Fault('CHANGE_OUTDATED');
        await keepExport(ctx, db, key, ready.made);
      },
    };
  });
}

/** One's own half, in its time, while the other one is still in another hand. Faults: KEY_NO_EXPORT, CHANGE_ONE_HAND. */
async function halfOf(ctx: Ctx, id: number, half: 'file_for' | 'password_for') {
  const key = await ctx.inTx((db) => keyById(db, id));
  const found = await ctx.unscoped(async (db) => {
    const row = await db
      .selectFrom('signing_export as e')
      .innerJoin('signing_export_secret as s', 's.export_id', 'e.id')
      .select(['s.file', 's.password_sealed', 'e.file_for', 'e.password_for', 'e.expires_at'])
      .where('e.key_id', '=', id)
      .where(`e.${half}`, '=', ctx.actor.userId)
      .where('e.expires_at', '>', ctx.now())
      .executeTakeFirst();
    if (!row?.file_for || !row.password_for) throw new Fault('KEY_NO_EXPORT');
    // Whoever takes over the other's account afterwards would have both.
    const since = weekBefore(new Date(row.expires_at.getTime() - DAY));
    if (await areOneHand(db, row.file_for, row.password_for, since)) throw new Fault('CHANGE_ONE_HAND');
    return row;
  });
  ctx.audit({ target: `signing key ${key.name}` });
  return { ...found, name: key.name };
}

/** The bytes leave when the audit row of it is committed: whatever is answered here is sent after that. */
export async function exportedFile(ctx: Ctx, { id }: { readonly id: number }, wire: Wire): Promise<unknown> {
  const { file, name } = await halfOf(ctx, id, 'file_for');
  wire.reply.headers({
    'content-type': 'application/x-pkcs12',
    'content-disposition': `attachment; filename*=UTF-8''${encodeURIComponent(`${name}.p12`)}`,
    'cache-control': 'private, no-store',
  });
  return file;
}

export async function exportedPassword(ctx: Ctx, vault: Vault, { id }: { readonly id: number }): Promise<{ password: string }> {
  const half = await halfOf(ctx, id, 'password_for');
  return { password: await vault.reveal({ sealed: half.password_sealed, file: half.file }) };
}
