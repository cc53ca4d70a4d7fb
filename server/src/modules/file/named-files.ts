import { Fault, fault } from '@mooring/contract/kit/fault';
import type { Ctx } from '../../platform/context.ts';

export interface NamedFile {
  readonly id: number;
  readonly kind: string;
  readonly name: string;
  readonly size: number;
  readonly sha256: string;
}

/** Files of these kinds that an input names for a row: one's own uploads, or those that hang on a row which the actor sees. */
export async function namedFiles(
  ctx: Ctx,
  named: readonly number[],
  kinds: readonly string[],
  seen: (ids: readonly number[]) => Promise<readonly { readonly file_id: number }[]>,
): Promise<ReadonlyMap<number, NamedFile>> {
  const ids = [...new Set(named)];
  if (ids.length === 0) return new Map();
  // Whose they are is asked beside the range: an upload is the person's, whichever organisation was chosen when it was made.
  const found = await ctx.unscoped((db) =>
    db.selectFrom('file_file').select(['id', 'kind', 'name', 'size', 'sha256', 'user_id', 'expires_at']).where('id', 'in', ids).execute(),
  );
  const others = found.filter((one) => one.user_id !== ctx.actor.userId || one.expires_at !== null).map((one) => one.id);
  const isSeen = new Set(others.length === 0 ? [] : (await seen(others)).map((one) => one.file_id));
  if (found.length !== ids.length || others.some((id) => !isSeen.has(id))) throw fault('NOT_FOUND');
  if (found.some(({ kind }) => !kinds.includes(kind))) throw new Fault('FILE_KIND_REFUSED');
  return new Map(found.map((one) => [one.id, one]));
}
