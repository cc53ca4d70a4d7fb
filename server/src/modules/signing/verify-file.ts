import { readPackage, verifyPackage } from '@mooring/apk/api';
import type { ParsedInputOf } from '@mooring/contract/kit/call';
import { Fault, fault } from '@mooring/contract/kit/fault';
import type { verifyCalls } from '@mooring/contract/signing/job';
import type { AppContext } from '../../platform/app-context.ts';
import type { Ctx } from '../../platform/context.ts';
import type { BlobStore } from '../../platform/files/blob-store.ts';
import { inTurn } from '../../platform/in-turn.ts';
import { namedFiles } from '../file/api.ts';
import { withLocalFile } from './local-file.ts';

const [JAR, APK] = ['3', '4'] as const;
const turn = inTurn({ atOnce: 2, queue: 10 });

/** Who signed a package or a plain JAR, and whether that holds. Nothing of it is kept. */
export async function verifyFile(ctx: Ctx, app: AppContext, store: BlobStore, { fileId }: ParsedInputOf<typeof verifyCalls.verify>) {
  const file = (await namedFiles(ctx, [fileId], [JAR, APK], async () => [])).get(fileId);
  if (!file) throw fault('NOT_FOUND');
  const give = await turn();
  try {
    return await withLocalFile(app, store, file.sha256, async (path) => {
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
  } catch (error) {
    throw byRule(error);
  } finally {
    give();
  }
}

/** What is wrong with a package stands at its field, by the rule that it breaks. */
export function byRule(error: unknown): unknown {
  if (!(error instanceof Fault) || error.fault !== 'PACKAGE_UNREADABLE') return error;
  return new Fault(error.fault, { params: { ...error.params }, fields: { fileId: `app.rule.${error.params.rule}` } });
}

/** Whether it is one of the keys that this person sees. */
export const knownKey = (ctx: Ctx, sha256: string) =>
  ctx.inTx((db) =>
    db.selectFrom('signing_key').select(['id', 'name']).where('certificate_sha256', '=', sha256).limit(1).executeTakeFirst(),
  );
