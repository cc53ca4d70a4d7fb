import { randomBytes } from 'node:crypto';
import type { Settings } from '@mooring/contract/device/messages';
import { settingsDigest } from '../../engines/rollout/settings/setting-kind.ts';
import type { AppContext } from '../../platform/app-context.ts';
import type { Ctx, Db } from '../../platform/context.ts';

type Sealer = Pick<AppContext, 'masterKey'>;
const SECRETS = 'android-params';
type Values = NonNullable<Settings['values']>;
export interface Kept {
  readonly secrets: Readonly<Record<string, string>>;
  /** Makes the digest of all values unlike any other: it is shown, and nobody shall find a short secret by trying. */
  readonly salt: string;
}

const valuesOf = (values: Values, kept: Kept): Values => ({ values, ...kept });
/** What a release sets that has no secrets. */
export const openValues = (values: Values): Values => ({ values });

/** Secrets of a release, by where they are kept; none where the actor doesn't see them, or they were given for another template. */
export async function secretsAt(ctx: Ctx, app: Sealer, id: number | null, templateId: number): Promise<Kept['secrets']> {
  const row =
    id === null
      ? undefined
      : await ctx.db
          .selectFrom('paramfile_secret')
          .select('sealed')
          .where('id', '=', id)
          .where('template_id', '=', templateId)
          .executeTakeFirst();
  return row ? read(app, row.sealed).secrets : {};
}
const read = (app: Sealer, sealed: Buffer): Kept => JSON.parse(app.masterKey.open(SECRETS, sealed).toString()) as Kept;

/** Keeps them sealed; answers where. */
export async function keepSecrets(
  ctx: Ctx,
  app: Sealer,
  of: { templateId: number; values: Values; secrets: Kept['secrets']; path: string },
): Promise<number> {
  const kept: Kept = { secrets: of.secrets, salt: randomBytes(16).toString('hex') };
  const row = {
    template_id: of.templateId,
    keys: Object.keys(of.secrets),
    sealed: app.masterKey.seal(SECRETS, Buffer.from(JSON.stringify(kept))),
    digest: settingsDigest(valuesOf(of.values, kept)) ?? '',
    dept_path: of.path,
  };
  return (await ctx.db.insertInto('paramfile_secret').values(row).returning('id').executeTakeFirstOrThrow()).id;
}

/** The digest of all that a release sets. */
export const digestAt = async (db: Db, id: number): Promise<string | null> =>
  (await db.selectFrom('paramfile_secret').select('digest').where('id', '=', id).executeTakeFirst())?.digest ?? null;

/** All that a release sets; for the terminal alone. */
export async function valuesWith(db: Db, app: Sealer, id: number, values: Values): Promise<Values | undefined> {
  const row = await db.selectFrom('paramfile_secret').select('sealed').where('id', '=', id).executeTakeFirst();
  return row && valuesOf(values, read(app, row.sealed));
}
