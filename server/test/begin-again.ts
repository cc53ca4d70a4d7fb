import { sql } from 'kysely';
import type { DeptAt } from '../src/modules/org/api.ts';
import { enqueue } from '../src/platform/jobs/enqueue.ts';
import type { Client, TestApp } from './test-app.ts';

/** A background job whose process died, as the queue hands it out again; what it had noted is lost too, unless it `knows` how far it was. */
export const beginAgain = (
  { context }: TestApp,
  { userId }: Client,
  { id: deptId, path }: DeptAt,
  job: string,
  payload: Readonly<Record<string, unknown>> & { readonly work: number | null },
  knows = false,
  platform: 'centre' | 'manager' = 'centre',
): Promise<void> =>
  context.unscoped(async (db) => {
    const params = knows ? sql`params` : sql`params - 'reached'`;
    await sql`update work set state = 'running', params = ${params} where id = ${payload.work}`.execute(db);
    const by = { userId, scope: { platform, deptId, path }, lang: 'en', timeZone: 'UTC' };
    await enqueue(db, job, { payload, by });
  });
