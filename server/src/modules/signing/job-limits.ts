import { Fault } from '@mooring/contract/kit/fault';
import { jobLimits } from '@mooring/contract/signing/limits';
import { sql } from 'kysely';
import type { Db } from '../../platform/context.ts';
import { lockSet } from '../../platform/db/lock-set.ts';

interface Of {
  readonly userId: number;
  readonly path: string;
  readonly size: number;
}
/** Whether one more has room: what is asked for keeps its bytes beside the upload that it came by. Requests of one organisation, and those of one person, come one after the other. Fault: SIGNING_MANY. */
export async function checkJobs(db: Db, { userId, path, size }: Of): Promise<void> {
  await lockSet(db, `signing jobs ${path}`);
  await lockSet(db, `signing jobs of ${userId}`);
  const { rows } = await sql<{ own: number; own_bytes: number; all: number; all_bytes: number }>`
    select count(*) filter (where is_own and is_open)::int as own, coalesce(sum(bytes) filter (where is_own), 0)::float8 as own_bytes,
      count(*) filter (where is_here and is_open)::int as all, coalesce(sum(bytes) filter (where is_here), 0)::float8 as all_bytes
    from (
      select author_id = ${userId} as is_own, dept_path = ${path} as is_here, keeps_before as is_open,
        case when keeps_before then size else 0 end + case when kept_until is not null then result_size else 0 end as bytes
      from signing_job where (keeps_before or kept_until is not null) and (author_id = ${userId} or dept_path = ${path})
    ) as kept`.execute(db);
  const now = rows[0] ?? { own: 0, own_bytes: 0, all: 0, all_bytes: 0 };
  const { person, organisation } = jobLimits;
  const isMany = now.own >= person.open || now.all >= organisation.open;
  if (isMany || now.own_bytes + size > person.bytes || now.all_bytes + size > organisation.bytes) throw new Fault('SIGNING_MANY');
}
