import { z } from 'zod';
import { LINK_HOURS } from '../../engines/rollout/packages/package-kind.ts';
import type { AppContext } from '../../platform/app-context.ts';
import type { Db } from '../../platform/context.ts';
import { type FileOwner, job } from '../../platform/module.ts';
import { usedAmong } from './monitor/used-among.ts';
import { DROP_BLOB } from './sweep.ts';

const FREE_FILE = 'file:free';

type Enqueues = Pick<AppContext, 'enqueue' | 'now'>;
/** Longer than any link to it lasts: whoever fetches it still comes to the end. */
const LATER_MS = (LINK_HOURS + 1) * 3_600_000;
/** Brought anew since, and no form names it yet: it is left to whoever cleans up. */
const FRESH_MS = 24 * 3_600_000;

/** What was brought for something that is gone by now goes too, once nobody fetches it any more, unless something else names it. */
export const freeFile = (app: Enqueues, db: Db, id: number): Promise<unknown> =>
  app.enqueue(db, FREE_FILE, { id }, { runAt: new Date(app.now().getTime() + LATER_MS) });

/** Whoever names the file at this moment waits, and finds it gone; or has it, and it stays. */
export const freeFileJob = (owners: () => readonly FileOwner[]) =>
  job({
    name: FREE_FILE,
    payload: z.object({ id: z.int() }),
    run: (ctx, { id }) =>
      ctx.unscoped(async (db) => {
        const file = await db.selectFrom('file_file').select(['sha256', 'created_at']).where('id', '=', id).forUpdate().executeTakeFirst();
        if (!file || file.created_at.getTime() > ctx.now().getTime() - FRESH_MS || (await usedAmong(db, owners(), [id])).has(id)) return;
        await db.deleteFrom('file_file').where('id', '=', id).execute();
        await ctx.enqueue(db, DROP_BLOB, { sha256: file.sha256 });
      }),
  });
