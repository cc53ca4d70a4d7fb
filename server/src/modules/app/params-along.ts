import type { appVersionCalls } from '@mooring/contract/app/calls';
import type { SoftAppRelease } from '@mooring/contract/app/release-calls';
import { fault } from '@mooring/contract/kit/fault';
import { type RawBuilder, sql } from 'kysely';
import type { z } from 'zod';
import type { RolloutKind, Subject, Target } from '../../engines/rollout/task.ts';
import type { AppContext } from '../../platform/app-context.ts';
import type { Db } from '../../platform/context.ts';
import type { Handler } from '../../platform/module.ts';
import { OWN_RESULT, ownResults, resultOn, templatesAlong } from '../paramfile/api.ts';

type Content = z.output<typeof SoftAppRelease>;
type Answers = Awaited<ReturnType<RolloutKind['payloadsFor']>>;

export async function productsOf(db: Db, versionId: number): Promise<readonly number[]> {
  const rows = await db.selectFrom('app_version_product').select('product_id').where('version_id', '=', versionId).execute();
  return rows.map((row) => row.product_id);
}

/** What may travel along with a version, for whoever makes a release of it. */
export const templatesFor: Handler<typeof appVersionCalls.templates> = async (ctx, { id, productId, text }) => {
  const seen = await ctx.db.selectFrom('app_version').select('id').where('id', '=', id).where('deleted_at', 'is', null).executeTakeFirst();
  if (!seen) throw fault('NOT_FOUND');
  const products = await productsOf(ctx.db, id);
  return templatesAlong(ctx.db, productId === null ? products : products.filter((one) => one === productId), text);
};

/** The template whose results travel along; none with what is removed. */
export const templateIn = ({ action, templateId }: Content): number | null => (action === 'uninstall' ? null : templateId);

/** Behind a version that is there without what travels along; no code reads so. */
const WITHOUT = '~';
export const isWithout = (current: string | null): boolean => current?.endsWith(WITHOUT) ?? false;

/** The same version, until a device `d` has today's parameters too, is another one. */
export const withParams = (runs: RawBuilder<string | null>, { version, templateId }: Subject): RawBuilder<string | null> =>
  templateId === undefined
    ? runs
    : sql<string | null>`case when ${runs} = ${version}::text and ${resultOn(templateId)} is distinct from ${OWN_RESULT}
        then ${version}::text || ${WITHOUT} else ${runs} end`;

/** Devices `d` that the template is for. */
export const takesParams = ({ templateProduct }: Subject): RawBuilder<boolean> =>
  templateProduct === undefined ? sql<boolean>`true` : sql<boolean>`d.product_id = ${templateProduct}`;

/** Of these terminals, those that have today's result: by now it is known of each. */
async function upToDate(db: Db, templateId: number, ids: readonly number[]): Promise<ReadonlySet<number>> {
  const { rows } = await sql<{ id: number }>`
    select d.id from device d where d.id = any(${[...ids]}::bigint[]) and ${resultOn(templateId)} = ${OWN_RESULT}`.execute(db);
  return new Set(rows.map(({ id }) => id));
}

/**
 * To each terminal beside its package what counts for it now. Who lacks a required value gets neither; who has today's result the package
 * alone, since the fields of the release may be older ones.
 */
export async function paramsAlong(
  db: Db,
  app: Pick<AppContext, 'masterKey'>,
  { templateId, templateRevision }: Content & { readonly templateId: number },
  targets: readonly Target[],
  packages: Answers,
): Promise<Answers> {
  const served = targets.filter(({ deviceId }) => {
    const found = packages.get(deviceId);
    return found !== undefined && !('unserved' in found);
  });
  if (served.length === 0) return packages;
  const params = await ownResults(db, app, { templateId, templateRevision }, served);
  const has = await upToDate(
    db,
    templateId,
    served.map(({ deviceId }) => deviceId),
  );
  return new Map(
    [...packages].flatMap(([id, found]): [number, typeof found][] => {
      const own = params.get(id);
      if ('unserved' in found || has.has(id)) return [[id, found]];
      return own ? [[id, 'unserved' in own ? own : { ...found, ...own }]] : [];
    }),
  );
}
