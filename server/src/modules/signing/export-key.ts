import { Fault } from '@mooring/contract/kit/fault';
import { signingKeyCalls } from '@mooring/contract/signing/key';
import type { AppContext } from '../../platform/app-context.ts';
import type { Ctx, Db } from '../../platform/context.ts';
import type { Wire } from '../../platform/module.ts';
import { derOf } from './certificate.ts';
import { changeKey } from './held-change.ts';
import { type KeyRow, keyById, secretOf } from './key.resource.ts';
import type { Vault } from './vault/vault.ts';

const DAY = 86_400_000;

/** The file is for who asked, its password for who approved: neither has the key alone. */
async function keepExport(ctx: Ctx, db: Db, vault: Vault, key: KeyRow): Promise<void> {
  const request = await db
    .selectFrom('settings_change_request')
    .select('author_id')
    .where('id', '=', ctx.approving ?? 0)
    .executeTakeFirst();
  const held = await secretOf(db, key);
  const { file, passwordSealed } = await vault.export({ ...held, name: key.name, chain: derOf(key.chain) });
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

/** Only of a key that was made or imported as one that may leave. Fault: KEY_NOT_EXPORTABLE. */
export const exportKey = (app: AppContext, ctx: Ctx, vault: Vault, input: { readonly id: number }) =>
  changeKey(ctx, app, input, (key) => {
    if (!key.exportable || ['waiting', 'destroyed'].includes(key.state)) throw new Fault('KEY_NOT_EXPORTABLE');
    return {
      call: signingKeyCalls.exportKey,
      target: 'keyExport',
      before: {},
      after: { fingerprint: key.fingerprint, certificateSha256: key.certificate_sha256 },
      apply: (db) => keepExport(ctx, db, vault, key),
    };
  });

/** One's own half, in its time. Fault: KEY_NO_EXPORT. */
async function halfOf(ctx: Ctx, id: number, half: 'file_for' | 'password_for') {
  const key = await ctx.inTx((db) => keyById(db, id));
  const found = await ctx.unscoped((db) =>
    db
      .selectFrom('signing_export as e')
      .innerJoin('signing_export_secret as s', 's.export_id', 'e.id')
      .select(['s.file', 's.password_sealed'])
      .where('e.key_id', '=', id)
      .where(`e.${half}`, '=', ctx.actor.userId)
      .where('e.expires_at', '>', ctx.now())
      .executeTakeFirst(),
  );
  if (!found) throw new Fault('KEY_NO_EXPORT');
  ctx.audit({ target: `signing key ${key.name}` });
  return { ...found, name: key.name };
}

export async function exportedFile(ctx: Ctx, { id }: { readonly id: number }, wire: Wire): Promise<unknown> {
  const { file, name } = await halfOf(ctx, id, 'file_for');
  return wire.reply
    .headers({
      'content-type': 'application/x-pkcs12',
      'content-length': file.length,
      'content-disposition': `attachment; filename*=UTF-8''${encodeURIComponent(`${name}.p12`)}`,
      'cache-control': 'private, no-store',
    })
    .send(file);
}

export async function exportedPassword(ctx: Ctx, vault: Vault, { id }: { readonly id: number }): Promise<{ password: string }> {
  const half = await halfOf(ctx, id, 'password_for');
  return { password: await vault.reveal({ sealed: half.password_sealed }) };
}
