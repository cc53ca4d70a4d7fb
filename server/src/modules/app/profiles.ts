import type { appVersionCalls } from '@mooring/contract/app/calls';
import { Fault, fault } from '@mooring/contract/kit/fault';
import type { Ctx, Db } from '../../platform/context.ts';
import type { Handler } from '../../platform/module.ts';
import { profilesOf } from '../signing/api.ts';
import type { VersionRow } from './version-rows.ts';

type Version = Pick<VersionRow, 'id' | 'sha256' | 'certificates'>;

async function ofVersion(ctx: Ctx, all: Db, { id, sha256, certificates }: Version, only?: number | null) {
  const products = await all.selectFrom('app_version_product').select('product_id').where('version_id', '=', id).execute();
  const ids = products.map((one) => one.product_id).filter((one) => (only ?? one) === one);
  return profilesOf(all, ids, { sha256, certificates }, ctx.scope.path, ctx.now());
}

const refused = (name: string, params: Readonly<Record<string, string>>) =>
  new Fault(name, { fields: { 'content.versionId': `fault.${name}` }, params: { ...params } });

/** A release goes to terminals of all its products, or of one of them: each profile must be met. Faults: APP_PROFILE_*. */
export async function checkProfiles(ctx: Ctx, version: Version, productId: number | null): Promise<void> {
  const open = (await ctx.unscoped((all) => ofVersion(ctx, all, version, productId))).find(({ satisfied }) => satisfied !== true);
  if (!open) return;
  const { product, profile, rootSubject, kind, satisfied } = open;
  if (kind === 'cms') throw refused('APP_PROFILE_CMS', { product, profile });
  if (satisfied === null) throw refused('APP_PROFILE_UNREAD', {});
  if (kind === 'external') throw refused('APP_PROFILE_SIGNER', { product, profile, signer: rootSubject });
  throw refused('APP_PROFILE_ROOT', { product, root: rootSubject });
}

/** The same, said beforehand. */
export const versionProfiles: Handler<typeof appVersionCalls.profiles> = async (ctx, { id }) => {
  const version = await ctx.db
    .selectFrom('app_version')
    .select(['id', 'sha256', 'certificates'])
    .where('id', '=', id)
    .where('deleted_at', 'is', null)
    .executeTakeFirst();
  if (!version) throw fault('NOT_FOUND');
  const found = await ctx.unscoped((all) => ofVersion(ctx, all, version));
  return found.map(({ product, profile, kind, rootSubject, satisfied }) => ({
    productName: product,
    profileName: profile,
    kind,
    root: rootSubject,
    satisfied,
  }));
};
