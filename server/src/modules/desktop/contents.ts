import { Advert, type AdvertItem, advertCalls } from '@mooring/contract/desktop/advert';
import { Customization, customizationCalls } from '@mooring/contract/desktop/customization';
import { Desktop, desktopCalls } from '@mooring/contract/desktop/desktop';
import { VIDEO } from '@mooring/contract/desktop/limits';
import { Fault } from '@mooring/contract/kit/fault';
import { isOver } from '@mooring/contract/shared/date-range';
import type { Ctx, Db } from '../../platform/context.ts';
import type { BlobStore } from '../../platform/files/blob-store.ts';
import type { RawRow } from '../../platform/resource/columns.ts';
import { type Resource, resource } from '../../platform/resource/resource.ts';
import type { Writing } from '../../platform/resource/write-rows.ts';
import { DROP_BLOB } from '../file/api.ts';
import { filesFor, keepFiles } from './content-files.ts';
import { copyContent, nextVersion } from './copy-content.ts';
import { advertPart, customizationPart, desktopPart, type Part } from './parts.ts';
import { publishContent } from './publish-content.ts';
import { versionsOf } from './versions.ts';

interface Stands {
  readonly id: number;
  readonly dept_path: string;
}

/** What all of them have in common: their files are looked at and kept with the row, and only a draft is changed. */
const common = (of: Part) => ({
  small: true as const,
  target: (row: { name: string }) => `${of.part} ${row.name}`,
  inUse: 'CONTENT_IN_USE',
  refuses: {
    update: (row: { state: string }) => row.state !== 'draft' && 'CONTENT_FIXED',
    nextVersion: (row: { number: number | null }) => row.number === null && 'CONTENT_NOT_PUBLISHED',
  },
  columns: (ctx: Ctx, input: object, about: Writing<Stands>) => written(ctx, of, input as RawRow, about),
  added: (ctx: Ctx, id: number, input: object) => keepFiles(ctx.db, of, id, ctx.scope.path, of.fileIds(input as RawRow)),
  deleted: (ctx: Ctx, row: { archive_sha256: string | null }) =>
    row.archive_sha256 === null ? Promise.resolve() : ctx.enqueue(ctx.db, DROP_BLOB, { sha256: row.archive_sha256 }),
});

async function written(ctx: Ctx, of: Part, input: RawRow, { before, db }: Writing<Stands>): Promise<RawRow> {
  const ids = of.fileIds(input);
  const files = await filesFor(ctx, db, of, ids);
  if (before) await keepFiles(db, of, before.id, before.dept_path, ids);
  if (of !== advertPart) return before ? {} : { created_by: ctx.actor.userName };
  const { fromDay, toDay } = input as { fromDay: string | null; toDay: string | null };
  const wrong = (text: string) => new Fault('BAD_INPUT', { fields: { toDay: text } });
  if (fromDay !== null && toDay !== null && toDay < fromDay) throw wrong('invalid.dayOrder');
  if (toDay !== null && isOver(toDay, ctx.now())) throw wrong('invalid.dayPast');
  const items = (input.items as AdvertItem[]).map((item): AdvertItem => {
    const file = files.get(item.fileId);
    return { ...item, name: file?.name ?? '', media: file?.kind === VIDEO ? 'video' : 'picture' };
  });
  return { items: JSON.stringify(items), ...(before ? {} : { created_by: ctx.actor.userName }) };
}

/** Playlists, customizations and desktops. */
export function makeContents(store: BlobStore) {
  const adverts: Resource<typeof Advert> = resource(Advert, advertCalls, {
    ...common(advertPart),
    table: 'desktop_advert',
    acts: { nextVersion: advertCalls.nextVersion },
    // Rows from before there were weights have none.
    shown: ({ items }) => ({ items: (items as unknown as AdvertItem[]).map((item) => ({ ...item, weight: item.weight ?? 1 })) }),
    joined: (query) =>
      query
        .innerJoin('org_dept as o', 'o.id', 't.dept_id')
        .leftJoin('product_product as p', 'p.id', 't.product_id')
        .select(['o.name as dept_name', 'p.name as product_name']),
    handlers: {
      publish: (ctx, { id }) => publishContent(ctx, store, advertPart, adverts, id),
      copy: (ctx, input) => copyContent(ctx, advertPart, adverts, input),
      nextVersion: (ctx, input) => nextVersion(ctx, advertPart, adverts, input),
      versions: (ctx, input) => versionsOf(ctx, advertPart, input),
    },
  });
  const customizations: Resource<typeof Customization> = resource(Customization, customizationCalls, {
    ...common(customizationPart),
    table: 'desktop_customization',
    acts: { nextVersion: customizationCalls.nextVersion },
    joined: (query) =>
      query
        .innerJoin('org_dept as o', 'o.id', 't.dept_id')
        .leftJoin('product_product as p', 'p.id', 't.product_id')
        .select(['o.name as dept_name', 'p.name as product_name']),
    handlers: {
      publish: (ctx, { id }) => publishContent(ctx, store, customizationPart, customizations, id),
      copy: (ctx, input) => copyContent(ctx, customizationPart, customizations, input),
      nextVersion: (ctx, input) => nextVersion(ctx, customizationPart, customizations, input),
      versions: (ctx, input) => versionsOf(ctx, customizationPart, input),
    },
  });
  const desktops: Resource<typeof Desktop> = resource(Desktop, desktopCalls, {
    ...common(desktopPart),
    table: 'desktop_desktop',
    acts: { nextVersion: desktopCalls.nextVersion },
    joined: (query) =>
      query
        .innerJoin('org_dept as o', 'o.id', 't.dept_id')
        .leftJoin('product_product as p', 'p.id', 't.product_id')
        .select(['o.name as dept_name', 'p.name as product_name']),
    handlers: {
      publish: (ctx, { id }) => publishContent(ctx, store, desktopPart, desktops, id),
      copy: (ctx, input) => copyContent(ctx, desktopPart, desktops, input),
      nextVersion: (ctx, input) => nextVersion(ctx, desktopPart, desktops, input),
      versions: (ctx, input) => versionsOf(ctx, desktopPart, input),
    },
  });
  return [adverts, customizations, desktops] as const;
}

/** Whether something that is published has these bytes. */
export async function keepsArchive(db: Db, sha256: string): Promise<boolean> {
  for (const { table } of [advertPart, customizationPart, desktopPart])
    if (await db.selectFrom(table).select('id').where('archive_sha256', '=', sha256).limit(1).executeTakeFirst()) return true;
  return false;
}
