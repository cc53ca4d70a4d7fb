import { Fault, fault } from '@mooring/contract/kit/fault';
import type { PageSetting } from '@mooring/contract/settings/calls';
import type { Branding } from '@mooring/contract/settings/kinds';
import type { Ctx, Db } from '../../platform/context.ts';
import type { BlobStore } from '../../platform/files/blob-store.ts';
import { lockBlob } from '../../platform/files/lock-blob.ts';
import type { Wire } from '../../platform/module.ts';
import { readSetting } from '../../platform/settings.ts';

const NAME = 'Mooring';

export const digestsOf = (branding: Branding): string[] =>
  [
    branding.systemLogo,
    branding.loginPageImg,
    ...branding.productList.map((one) => one.image),
    ...branding.relationPageList.map((one) => one.icon),
  ].filter((digest) => digest !== '');

const addressOf = (digest: string) => (digest === '' ? null : `/unLogin/pageSetting/picture/${digest}`);

/** Specification, section 3, "Page settings": empty fields fall back to the built-in ones. */
export async function pageSetting(db: Db, { sends, codes }: Pick<PageSetting, 'sends' | 'codes'>): Promise<PageSetting> {
  const branding = await readSetting(db, 'branding');
  return {
    systemName: branding.systemName || NAME,
    systemLogo: addressOf(branding.systemLogo),
    companyName: branding.companyName || null,
    companyAddress: branding.companyAddress || null,
    loginPageImg: addressOf(branding.loginPageImg),
    productList: branding.productList
      .filter((one) => one.image !== '')
      .map((one) => ({ image: addressOf(one.image) ?? '', link: one.link })),
    relationPageList: branding.relationPageList.map((one) => ({ ...one, icon: addressOf(one.icon) ?? '' })),
    sends,
    codes,
    registers: (await readSetting(db, 'registration')).open,
  };
}

/** Each picture must have been uploaded as one: it was drawn anew then. */
export async function checkPictures(ctx: Ctx, branding: Branding): Promise<void> {
  const wanted = [...new Set(digestsOf(branding))];
  if (wanted.length === 0) return;
  const kept = digestsOf(await readSetting(ctx.db, 'branding'));
  const unknown = wanted.filter((digest) => !kept.includes(digest));
  if (unknown.length === 0) return;
  // Bytes are either named or deleted, never both.
  for (const digest of unknown.toSorted()) await lockBlob(ctx.db, digest);
  const found = await ctx.db
    .selectFrom('file_file')
    .select('sha256')
    .distinct()
    .where('sha256', 'in', unknown)
    .where('kind', '=', '1')
    .execute();
  if (found.length < unknown.length) throw new Fault('PICTURE_UNKNOWN');
}

/** Pictures that are shown no more, by digest, and the files that they were brought as. */
export async function replacedPictures(
  ctx: Ctx,
  next: Branding,
): Promise<{ readonly digests: readonly string[]; readonly files: readonly number[] }> {
  const shown = new Set(digestsOf(next));
  const gone = digestsOf(await readSetting(ctx.db, 'branding')).filter((digest) => !shown.has(digest));
  if (gone.length === 0) return { digests: [], files: [] };
  const files = await ctx.db.selectFrom('file_file').select('id').where('sha256', 'in', gone).where('kind', '=', '1').execute();
  return { digests: gone, files: files.map(({ id }) => id) };
}

const typeOf = (head: Buffer) =>
  head.subarray(0, 4).toString('hex') === '89504e47'
    ? 'image/png'
    : head.subarray(0, 2).toString('hex') === 'ffd8'
      ? 'image/jpeg'
      : 'image/webp';

/** Only what the branding shows at this moment; the address names the bytes, so that a browser may keep them. */
export async function sendPicture(ctx: Ctx, store: BlobStore, digest: string, wire: Wire): Promise<unknown> {
  if (!digestsOf(await readSetting(ctx.db, 'branding')).includes(digest)) throw fault('NOT_FOUND');
  const chunks: Buffer[] = [];
  for await (const chunk of await store.read(digest)) chunks.push(chunk as Buffer);
  const bytes = Buffer.concat(chunks);
  return wire.reply
    .headers({ 'content-type': typeOf(bytes), 'content-length': bytes.length, 'cache-control': 'public, max-age=31536000, immutable' })
    .send(bytes);
}
