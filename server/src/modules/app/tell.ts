import type { Ctx, Db } from '../../platform/context.ts';
import { type NotificationName, notify, type Target } from '../message/api.ts';
import { shortName, type VersionRow } from './version-rows.ts';

type Step = Extract<NotificationName, `app${'Submitted' | 'Approved' | 'Rejected' | 'Delisted'}`>;
type About = Extract<NotificationName, `developer${string}`>;
const channels = ['centre', 'email'] as const;

const titleOf = ({ listing, package_name: name }: Pick<VersionRow, 'listing' | 'package_name'>): string => {
  const texts = listing as unknown as Readonly<Record<string, { readonly name: string }>>;
  return texts.en?.name ?? name;
};

/** Reviewers hear of what waits, its developer of what was decided; who did it knows. */
export async function tellVersion(ctx: Ctx, db: Db, row: VersionRow, name: Step, comment = ''): Promise<void> {
  const users = peopleOf(row).filter((id) => id !== ctx.actor.userId);
  if (name !== 'appSubmitted' && users.length === 0) return;
  const to: Target = name === 'appSubmitted' ? { above: row.dept_path, can: 'app:app:review' } : { users };
  const org = name === 'appSubmitted' ? await nameOf(db, row.dept_id) : '';
  await notify(db, {
    name,
    params: { name: titleOf(row), version: shortName(row), by: ctx.actor.userName, comment, org },
    to,
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
