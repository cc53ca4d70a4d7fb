import type { RegisterKind } from '@mooring/contract/auth/register-calls';
import { sql } from 'kysely';
import { z } from 'zod';
import { type Job, job } from '../../../platform/module.ts';
import { notify } from '../../message/api.ts';
import { decidersOf } from './deciders.ts';
import { decidedBy } from './register.ts';

const AGAIN_DAYS = 3;
const DAY_MS = 86_400_000;

interface Due {
  readonly kinds: readonly RegisterKind[];
  readonly path: string;
  readonly count: number;
  readonly days: number;
}

/** Daily: what nobody has decided about is said again every third day, once for each unit and way to decide. Running twice says nothing more. */
export const remindOfUndecided = (): Job =>
  job({
    name: 'auth:undecided',
    payload: z.object({}),
    every: '23 6 * * *',
    run: (ctx) =>
      ctx.unscoped(async (db) => {
        const now = ctx.now();
        const { rows } = await sql<Due>`
          with due as (
            update auth_registration r set told_at = ${now} from account_user u
            where u.id = r.user_id and u.state = 'joining' and r.told_at <= ${new Date(now.getTime() - AGAIN_DAYS * DAY_MS)}
            returning r.kind, r.decider_id, r.created_at)
          select array_agg(distinct due.kind) as kinds, o.dept_path as path, count(*)::int as count,
            floor(extract(epoch from ${now}::timestamptz - min(due.created_at)) / 86400)::int as days
          from due join org_dept o on o.id = due.decider_id group by o.id, o.dept_path, due.kind in ('org', 'child')`.execute(db);
        for (const { kinds, path, count, days } of rows) {
          const { can, link } = decidedBy[kinds[0] ?? 'org'];
          await notify(db, {
            name: 'undecided',
            params: { count, days },
            to: { users: await decidersOf(db, path, can) },
            deptPath: path,
            channels: ['centre', 'email'],
            link,
          });
        }
      }),
  });
