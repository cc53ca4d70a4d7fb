import { numbered } from '@mooring/contract/desktop/numbered';
import {
  AdvertRelease,
  advertTaskCalls,
  advertTaskDeviceCalls,
  CustomizationRelease,
  customizationTaskCalls,
  customizationTaskDeviceCalls,
  DesktopRelease,
  desktopTaskCalls,
  desktopTaskDeviceCalls,
} from '@mooring/contract/desktop/release-calls';
import { Fault, fault } from '@mooring/contract/kit/fault';
import { sql } from 'kysely';
import type { KindOfRelease } from '../../engines/rollout/module.ts';
import { LINK_HOURS } from '../../engines/rollout/packages/package-kind.ts';
import type { Payload, RolloutKind, SubjectOf } from '../../engines/rollout/task.ts';
import type { Db } from '../../platform/context.ts';
import { fileUrl } from '../../platform/gateway/file-token.ts';
import type { ReleaseKeys } from '../../platform/gateway/release-keys.ts';
import { contentBack } from './content-back.ts';
import { advertPart, customizationPart, desktopPart, type Part } from './parts.ts';

interface Released {
  readonly action: 'config' | 'reset';
  readonly contentId: number | null;
  readonly place?: string;
}
interface Read {
  parse(content: unknown): Released;
}
/** Where a terminal keeps it, under the name that it reports. */
const sectionOf = (of: Part, place: string | undefined) => (place === undefined ? of.of.kind : `${of.of.kind}.${place}`);
const published = 'published';

/** Content that is packed: signed for the product of each terminal, and for the place where it is shown. */
function contentKind(of: Part, schema: Read, keys: () => Promise<ReleaseKeys>): RolloutKind {
  const rowOf = async (db: Db, id: number | null) => {
    const row = await db
      .selectFrom(of.table)
      .selectAll()
      .where('id', '=', id ?? 0)
      .executeTakeFirst();
    if (!row) throw fault('NOT_FOUND');
    return { ...row, place: 'place' in row ? row.place : undefined };
  };
  const read = (task: Pick<SubjectOf, 'content'>) => schema.parse(task.content);
  return {
    of: of.of,
    files: [],
    current: ({ name }) => sql<string | null>`d.settings ->> ${name}`,
    back: contentBack(of),
    async subjectOf(db, task) {
      const { action, contentId, place } = read(task);
      if (action === 'reset') return { name: sectionOf(of, place), version: null, productId: task.product_id };
      const row = await rowOf(db, contentId);
      if (row.version === '') throw new Fault('CONTENT_NOT_PUBLISHED');
      return { name: sectionOf(of, row.place), version: row.version, productId: row.product_id ?? task.product_id };
    },
    async check(ctx, task) {
      const { action, contentId } = read(task);
      if (action === 'config' && (await rowOf(ctx.db, contentId)).state !== published) throw new Fault('CONTENT_NOT_PUBLISHED');
    },
    async filled(ctx, task) {
      const content = read(task);
      if (content.action === 'reset') return { ...content, contentId: null, contentName: '' };
      const row = await rowOf(ctx.db, content.contentId);
      const { place } = row;
      return { ...content, contentName: numbered(row), ...(place === undefined ? {} : { place }) };
    },
    async weigh({ db }, task) {
      const { action, contentId } = read(task);
      if (action === 'reset') return () => ({ gets: 'settings', bytes: 0 });
      const { size } = await rowOf(db, contentId);
      return () => ({ gets: 'full', bytes: size });
    },
    async payloadsFor(db, app, task, targets) {
      const { action, contentId, place } = read(task);
      if (action === 'reset')
        return new Map(
          targets.map(({ deviceId }): [number, Payload] => [deviceId, { settings: { section: sectionOf(of, place), values: null } }]),
        );
      const row = await rowOf(db, contentId);
      if (row.state !== published || row.archive_sha256 === null) return new Map();
      const { version, size, archive_sha256: sha256 } = row;
      const devices = await db
        .selectFrom('device as d')
        .innerJoin('product_product as p', 'p.id', 'd.product_id')
        .select(['d.id', 'd.sn', 'p.code'])
        .where(
          'd.id',
          'in',
          targets.map((target) => target.deviceId),
        )
        .execute();
      const { key, sign } = await keys();
      const signed = new Map<string, ReturnType<typeof sign>>();
      const signFor = (product: string) => {
        const name = row.place === undefined ? {} : { name: row.place };
        const made = signed.get(product) ?? sign({ product, kind: 'TA', version, base: null, size, sha256, content: of.of.kind, ...name });
        signed.set(product, made);
        return made;
      };
      const expiresAt = new Date(app.now().getTime() + LINK_HOURS * 3_600_000);
      return new Map(
        devices.map(({ id, sn, code }): [number, Payload] => {
          const { manifest, signature } = signFor(code);
          return [id, { package: { ...manifest, signature }, releaseKey: key, url: fileUrl(app.masterKey, { sn, sha256, expiresAt }) }];
        }),
      );
    },
  };
}

export const contentReleases = (keys: () => Promise<ReleaseKeys>): readonly KindOfRelease[] => [
  { kind: contentKind(advertPart, AdvertRelease, keys), calls: { tasks: advertTaskCalls, devices: advertTaskDeviceCalls } },
  {
    kind: contentKind(customizationPart, CustomizationRelease, keys),
    calls: { tasks: customizationTaskCalls, devices: customizationTaskDeviceCalls },
  },
  { kind: contentKind(desktopPart, DesktopRelease, keys), calls: { tasks: desktopTaskCalls, devices: desktopTaskDeviceCalls } },
];
