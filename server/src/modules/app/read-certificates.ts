import { readPackage } from '@mooring/apk/api';
import { Fault } from '@mooring/contract/kit/fault';
import { sql } from 'kysely';
import { z } from 'zod';
import { job } from '../../platform/module.ts';
import type { Packages } from './add-version.ts';
import { withFile } from './open-package.ts';

const AT_ONCE = 20;

/** A package that breaks a rule carries none; one whose bytes aren't to be had just now is read another time. */
const noneOf = (error: unknown): readonly Uint8Array[] | undefined =>
  error instanceof Fault && ['PACKAGE_UNREADABLE', 'SIGNATURE_MISMATCH'].includes(error.fault) ? [] : undefined;

/** Of versions that were brought before certificates were kept. Running again reads what is still missing. */
export const readCertificates = ({ dataDir, files: { store } }: Packages) =>
  job({
    name: 'app:readCertificates',
    payload: z.object({}),
    every: '*/5 * * * *',
    run: async (ctx) => {
      const missing = await ctx.unscoped((db) =>
        db
          .selectFrom('app_version')
          .select(['id', 'sha256'])
          .where('certificates', 'is', null)
          .where('deleted_at', 'is', null)
          // Whichever come first: some whose bytes are lost keep the others waiting never.
          .orderBy(sql`random()`)
          .limit(AT_ONCE)
          .execute(),
      );
      for (const { id, sha256 } of missing) {
        const found = await withFile(dataDir, store, sha256, readPackage).then((read) => read.certificates, noneOf);
        if (!found) continue;
        const certificates = found.map((one) => Buffer.from(one));
        await ctx.unscoped((db) => db.updateTable('app_version').set({ certificates }).where('id', '=', id).execute());
      }
    },
  });
