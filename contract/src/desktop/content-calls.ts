import { z } from 'zod';
import { quotaFaults } from '../file/calls.ts';
import { call, calls } from '../kit/call.ts';
import type { AnyEntity } from '../kit/entity.ts';
import { crud, moves } from '../kit/resource-calls.ts';
import { Id, Moment, Name } from '../kit/schema.ts';

type Part = 'advert' | 'customization' | 'desktop';
/** A row of a line, and the newest releases that use it, as far as one may see them. */
const Version = z.object({
  id: Id,
  name: z.string(),
  number: z.int().nullable(),
  state: z.string(),
  version: z.string(),
  createdBy: z.string(),
  createdAt: Moment,
  publishedBy: z.string(),
  publishedAt: Moment.nullable(),
  /** Null where one may see no releases of this kind. */
  releaseCount: z.int().nullable(),
  releases: z.array(z.object({ id: Id, name: z.string() })),
});
export type ContentVersion = z.output<typeof Version>;

const publishing = { tx: 'own', timeout: 300 } as const;

/** The calls of one kind of content: they differ in what it is alone. `released` is who chooses it for a release. */
export function contentCalls<E extends AnyEntity>(of: E, part: Part, released: `${string}:${string}`) {
  const can = <A extends string>(act: A) => `desktop:${part}:${act}` as const;
  const { publish, withdraw } = moves(of as AnyEntity, { publish: can('publish'), withdraw: can('publish') } as never) as Record<
    'publish' | 'withdraw',
    ReturnType<typeof call<z.ZodObject<{ id: typeof Id }>, E['row']>>
  >;
  const faults = ['FILE_KIND_REFUSED', 'CONTENT_LARGE'];
  const empty = ['CONTENT_EMPTY', ...(part === 'desktop' ? ['CONTENT_SCREEN_EMPTY'] : [])];
  return calls('desktop', `/customizeDesktop/${part}`, {
    ...crud(
      of,
      { see: `${can('page')}||${released}` as const, add: can('add'), update: can('update'), delete: can('delete') },
      { faults: { add: faults, update: [...faults, 'CONTENT_FIXED'], delete: ['CONTENT_IN_USE'] } },
    ),
    /** Packs it with its files; from then on it stays as it is. */
    publish: { ...publish, ...publishing, faults: [...empty, 'CONTENT_LARGE', 'NO_SPACE', ...quotaFaults] },
    withdraw,
    /** The whole line of a row, the draft first and then the newest. */
    versions: call({
      can: `${can('page')}||${released}` as const,
      reads: true,
      input: z.strictObject({ id: Id }),
      output: z.array(Version),
    }),
    /** A draft that follows in the line of this row, with its content: of the newest to change it, of an earlier one to use it again. */
    nextVersion: call({
      can: can('add'),
      input: z.strictObject({ id: Id }),
      output: of.row as E['row'],
      faults: ['CONTENT_DRAFT_OPEN', 'CONTENT_NOT_PUBLISHED'],
    }),
    /** A draft of one's own with the same content. */
    copy: call({ can: can('add'), input: z.strictObject({ id: Id, name: Name }), output: of.row as E['row'] }),
  });
}
