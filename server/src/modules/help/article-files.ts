import { ATTACHMENT, PICTURE } from '@mooring/contract/file/kinds';
import { fault } from '@mooring/contract/kit/fault';
import { picturesIn } from '@mooring/contract/shared/markdown';
import type { Ctx, Db } from '../../platform/context.ts';
import { unlessRefused } from '../../platform/db/constraint.ts';
import { namedFiles } from '../file/api.ts';
import { keptIn } from './translations.ts';

interface Bodies {
  readonly body: string;
  readonly bodyZh: string;
  readonly translations: readonly { readonly body: string }[];
}
interface Texts extends Bodies {
  readonly files: readonly number[];
}
const pictures = ({ body, bodyZh, translations }: Bodies): number[] => [
  ...new Set([body, bodyZh, ...translations.map((one) => one.body)].flatMap((text) => picturesIn(text))),
];

/** What hangs on an article is one's own, or hangs on one already; a picture is one that was drawn anew. */
export async function checkFiles(ctx: Ctx, db: Db, texts: Texts): Promise<void> {
  const seen = (ids: readonly number[]) =>
    db
      .selectFrom('help_file')
      .select('file_id')
      .where('file_id', 'in', [...ids])
      .execute();
  await namedFiles(ctx, texts.files, [ATTACHMENT], seen);
  await namedFiles(ctx, pictures(texts), [PICTURE], seen);
}

/** The database keeps them from now on: an earlier version may be restored at any time. */
export async function keepFiles(db: Db, id: number, texts: Texts): Promise<void> {
  const rows = [...new Set([...texts.files, ...pictures(texts)])].map((file_id) => ({ article_id: id, file_id }));
  if (rows.length === 0) return;
  await unlessRefused(
    db,
    () =>
      db
        .insertInto('help_file')
        .values(rows)
        .onConflict((on) => on.doNothing())
        .execute(),
    ({ kind }) => (kind === 'referenced' ? fault('NOT_FOUND') : undefined),
  );
}

/** Those that readers of a version have. */
export const shownFiles = (row: {
  readonly body: string;
  readonly body_zh: string;
  readonly translations: unknown;
  readonly files: readonly (number | string)[];
}): number[] => [...row.files.map(Number), ...pictures({ body: row.body, bodyZh: row.body_zh, translations: keptIn(row.translations) })];
