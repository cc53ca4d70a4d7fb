import type { Ctx, Db } from '../../platform/context.ts';
import { type Notification, type NotificationName, notify } from '../message/api.ts';
import { nameIn, shortName, type VersionRow } from './version-rows.ts';

type Step = Extract<NotificationName, `app${'Approved' | 'Rejected' | 'Delisted'}`>;
type About = Extract<NotificationName, `developer${string}`>;
const channels = ['centre', 'email'] as const;

/** What reviewers are told of a version that waits, in the words with which it was handed in. */
export async function submittedWords(
  db: Db,
  auditId: number,
  versionId: number,
): Promise<Pick<Notification, 'name' | 'params' | 'channels'>> {
  const row = await db.selectFrom('app_version').selectAll().where('id', '=', versionId).executeTakeFirstOrThrow();
  const said = await db
    .selectFrom('approval_record')
    .select('comment')
    .where('audit_id', '=', auditId)
    .where('event', '=', 'apply')
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst();
  const org = await nameOf(db, row.dept_id);
  const params = { name: nameIn(row), version: shortName(row), by: row.submitted_by, comment: said?.comment ?? '', org };
  return { name: 'appSubmitted', params, channels };
}

/** Its developer hears of what was decided; who did it knows. */
export async function tellVersion(ctx: Ctx, db: Db, row: VersionRow, name: Step, comment = ''): Promise<void> {
  const users = peopleOf(row).filter((id) => id !== ctx.actor.userId);
  if (users.length === 0) return;
  await notify(db, {
    name,
    params: { name: nameIn(row), version: shortName(row), by: ctx.actor.userName, comment, org: '' },
    to: { users },
    deptPath: row.dept_path,
    link: `/app/version/${row.id}`,
    channels,
  });
}

const peopleOf = (row: VersionRow): number[] =>
  [...new Set([row.created_by_id, row.submitted_by_id])].filter((id): id is number => id !== null);

const nameOf = async (db: Db, deptId: number): Promise<string> =>
  (await db.selectFrom('org_dept').select('name').where('id', '=', deptId).executeTakeFirst())?.name ?? '';

interface Applied {
  readonly dept_id: number;
  readonly dept_path: string;
  readonly applied_by_id: number | null;
}
/** Whoever accepts developers hears of an application, and who applied of what was decided. */
export async function tellDeveloper(ctx: Ctx, db: Db, row: Applied, name: About, comment = ''): Promise<void> {
  const isApplied = name === 'developerApplied';
  const { applied_by_id: applicant } = row;
  if (!isApplied && (applicant === null || applicant === ctx.actor.userId)) return;
  await notify(db, {
    name,
    params: { org: await nameOf(db, row.dept_id), by: ctx.actor.userName, comment },
    to: isApplied ? { above: row.dept_path, can: 'app:app:developer' } : { users: [applicant ?? 0] },
    deptPath: row.dept_path,
    link: isApplied ? '/app?tab=developers' : '/dev',
    channels,
  });
}
