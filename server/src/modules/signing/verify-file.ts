import { readPackage, verifyPackage } from '@mooring/apk/api';
import type { ParsedInputOf } from '@mooring/contract/kit/call';
import { Fault, fault } from '@mooring/contract/kit/fault';
import type { knownStates, verifyCalls } from '@mooring/contract/signing/job';
import { sql } from 'kysely';
import type { AppContext } from '../../platform/app-context.ts';
import type { Ctx } from '../../platform/context.ts';
import type { BlobStore } from '../../platform/files/blob-store.ts';
import { inTurn, inTurnOfOwner } from '../../platform/in-turn.ts';
import { namedFiles } from '../file/api.ts';
import { withLocalFile } from './local-file.ts';

type KnownState = (typeof knownStates)[number];
const [JAR, APK] = ['3', '4'] as const;
const turn = inTurn({ atOnce: 2, queue: 10 });
const own = inTurnOfOwner({ atOnce: 1, queue: 3 });

/** Whoever has many looked at waits for their own before others do. */
export const inTurnToLook = <T>(ctx: Ctx, work: () => Promise<T>): Promise<T> =>
  own(ctx.actor.userId, async () => {
    const give = await turn();
    return work().finally(give);
  });

/** Who signed a package or a plain JAR, and whether that holds. Nothing of it is kept. */
export async function verifyFile(ctx: Ctx, app: AppContext, store: BlobStore, { fileId }: ParsedInputOf<typeof verifyCalls.verify>) {
  const file = (await namedFiles(ctx, [fileId], [JAR, APK], async () => [])).get(fileId);
  if (!file) throw fault('NOT_FOUND');
  const look = () =>
    withLocalFile(app, store, file.sha256, async (path) => {
      const read = file.kind === APK ? await readPackage(path) : undefined;
      const signature = read?.signature ?? (await verifyPackage(path));
      const info = read && {
        packageName: read.info.packageName,
        versionName: read.info.versionName,
        versionCode: read.info.versionCode,
        minSdk: read.info.minSdk,
        debuggable: read.info.debuggable,
      };
      const key = signature.certificate ? await knownKey(ctx, signature.certificate.sha256) : undefined;
      return { fileName: file.name, size: file.size, sha256: file.sha256, info: info ?? null, signature, key: key ?? null };
    });
  return inTurnToLook(ctx, look).catch((error: unknown) => {
    throw byRule(error);
  });
}

/** What is wrong with a package stands at its field, by the rule that it breaks. */
export function byRule(error: unknown): unknown {
  if (!(error instanceof Fault) || error.fault !== 'PACKAGE_UNREADABLE') return error;
  return new Fault(error.fault, { params: { ...error.params }, fields: { fileId: `app.rule.${error.params.rule}` } });
}

/** Whether it is one of the keys that this person sees: one that two people agreed to, and rather one that signs. */
export const knownKey = (ctx: Ctx, sha256: string) =>
  ctx.inTx((db) =>
    db
      .selectFrom('signing_key as k')
      .select(['k.id', 'k.name', sql<KnownState>`k.state`.as('state')])
      .where('k.certificate_sha256', '=', sha256)
      .where('k.state', '<>', 'waiting')
      .where(sql<boolean>`not exists (select from state_change c where c.life = 'signingKey' and c.row_id = k.id and c.event = 'giveUp')`)
      .orderBy(sql`array_position(array['active', 'suspended', 'retired', 'destroyed'], k.state::text)`)
      .orderBy('k.id')
      .limit(1)
      .executeTakeFirst(),
  );
