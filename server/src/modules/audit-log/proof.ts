import type { logCalls } from '@mooring/contract/audit-log/calls';
import { ChainReport } from '@mooring/contract/audit-log/proof';
import type { OutputOf } from '@mooring/contract/kit/call';
import type { AppContext } from '../../platform/app-context.ts';
import { checkChain } from '../../platform/audit/check-chain.ts';
import { openHead, readHeads } from '../../platform/audit/heads.ts';
import { sealKeys } from '../../platform/audit/seal-keys.ts';
import { readTip } from '../../platform/audit/seal-tip.ts';
import type { Ctx } from '../../platform/context.ts';

/** The last report, kept as a value of the installation. */
const LAST = 'auditCheck';

/** Follows the whole log, and keeps what was found. */
export async function checkLog(app: AppContext): Promise<ChainReport> {
  const tip = readTip(app.config.DATA_DIR);
  const report = await app.unscoped((db) => checkChain(db, { keys: sealKeys(app.masterKey), tip }));
  const [value, updated_at] = [JSON.stringify(report), app.now()];
  await app.unscoped((db) =>
    db
      .insertInto('settings_value')
      .values({ type: LAST, value, updated_at })
      .onConflict((on) => on.column('type').doUpdateSet({ value, updated_at }))
      .execute(),
  );
  return report;
}

export async function readProof(ctx: Ctx, app: AppContext): Promise<OutputOf<typeof logCalls.proof>> {
  const keys = sealKeys(app.masterKey);
  // Signatures are of the whole installation; the permission belongs to the platform alone.
  return ctx.unscoped(async (db) => {
    const last = await db.selectFrom('settings_value').select(['value', 'updated_at']).where('type', '=', LAST).executeTakeFirst();
    const check = ChainReport.safeParse(last?.value).data ?? null;
    const heads = (await readHeads(db)).flatMap(({ number, signed, signature }) => {
      const head = openHead(keys, { signed, signature });
      return head ? [{ ...head, number, signed, signature: signature.toString('base64') }] : [];
    });
    return {
      keyId: keys.keyId,
      publicKey: keys.publicKey,
      heads: heads.reverse(),
      checkedAt: check && last ? last.updated_at.toISOString() : null,
      check,
    };
  });
}
