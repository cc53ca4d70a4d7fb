import { MOST_UPLOADERS, type uploadMonitorCalls } from '@mooring/contract/file/upload-monitor-calls';
import { sql } from 'kysely';
import type { Handler } from '../../../platform/module.ts';
import { unhidden } from '../../access/api.ts';

/** Who uploaded the most, of the uploads that are remembered: those of a week, which no list is longer than. */
export const uploaders: Handler<typeof uploadMonitorCalls.uploaders> = async (ctx) => {
  const seen = (await unhidden(ctx)) ?? sql<boolean>`true`;
  return ctx.db
    .selectFrom('file_upload as f')
    .innerJoin('account_user as u', 'u.id', 'f.user_id')
    .select(['u.id', 'u.name'])
    .select([
      sql<number>`count(*) filter (where f.state = 'done')::int`.as('files'),
      sql<number>`coalesce(sum(f.size) filter (where f.state = 'done'), 0)::float8`.as('bytes'),
      sql<number>`count(*) filter (where f.state in ('failed', 'refused'))::int`.as('failed'),
    ])
    .where('f.dept_path', '>=', ctx.scope.path)
    .where('f.dept_path', '<', `${ctx.scope.path}~`)
    .where(seen)
    .groupBy(['u.id', 'u.name'])
    .orderBy('bytes', 'desc')
    .orderBy('u.id')
    .limit(MOST_UPLOADERS)
    .execute();
};
