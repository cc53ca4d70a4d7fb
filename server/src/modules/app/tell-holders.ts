import { softAppKind } from '@mooring/contract/app/app-kind';
import { newTaskScreen, taskPermission } from '@mooring/contract/engines/rollout/task-kind';
import { sql } from 'kysely';
import { z } from 'zod';
import type { Ctx, Db } from '../../platform/context.ts';
import { job } from '../../platform/module.ts';
import { notify } from '../message/api.ts';
import { isSignedAs } from './is-on.ts';
import { approved, nameIn, shortName } from './version-rows.ts';

const TELL = 'app:tellHolders';

/** A version has just been delisted: once the transaction of `db` is done, those who took it and still have it hear of it. */
export const tellHolders = (ctx: Pick<Ctx, 'enqueue'>, db: Db, versionId: number): Promise<void> => ctx.enqueue(db, TELL, { versionId });

/**
 * Its owner and those below, who need no subscription, and subscribers of the version's app, also those of before: with so many of their terminals that
 * have it. Of the owner's those that are of no organisation below.
 */
const holders = (db: Db, versionId: number) =>
  sql<{ path: string; count: number }>`
  select s.dept_path as path, count(*)::int as count
  from app_version v
  join lateral (select dept_path from app_subscription
      where app_id = v.app_id and state in ('active', 'ended') and not starts_with(dept_path, v.dept_path)
    union select dept_path from org_dept where parent_id = v.dept_id
    union select v.dept_path) s on true
  join device_app i on i.package_name = v.package_name and i.version_code = v.version_code and i.dept_path >= s.dept_path
    and i.dept_path < s.dept_path || case when s.dept_path = v.dept_path then '!' else '~' end
    and (i.certificate is null or ${isSignedAs('i.certificate', 'v')})
  where v.id = ${versionId} group by 1 order by 1`.execute(db);

/** Each with the way to take it off, for those who may. Edited since, or handed in again, it is; approved again meanwhile it is no news. */
export const tellHoldersJob = job({
  name: TELL,
  payload: z.object({ versionId: z.int() }),
  run: (ctx, { versionId }) =>
    ctx.unscoped(async (db) => {
      const row = await db
        .selectFrom('app_version')
        .selectAll()
        .where('id', '=', versionId)
        .where('deleted_at', 'is', null)
        .executeTakeFirst();
      if (!row?.listed_at || row.review_state === approved) return;
      const name = nameIn(row);
      const removing = new URLSearchParams({ uninstall: row.package_name, name, version: String(row.version_code) });
      for (const { path, count } of (await holders(db, versionId)).rows)
        await notify(db, {
          name: 'appDelistedHere',
          params: { name, version: shortName(row), count },
          to: { above: path, can: taskPermission(softAppKind, 'add'), ...(path === row.dept_path ? {} : { apart: row.dept_path }) },
          deptPath: path,
          link: `${newTaskScreen(softAppKind)}?${removing}`,
          channels: ['centre', 'email'],
        });
    }),
});
