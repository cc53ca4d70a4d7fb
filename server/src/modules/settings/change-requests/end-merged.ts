import type { Ctx, Db } from '../../../platform/context.ts';
import { t } from '../../../platform/texts/translate.ts';
import { notify } from '../../message/api.ts';
import { authorLink, settle } from './hold.ts';

/** What asks for something new names its organisation, where nobody can carry it out once that is merged into another: it ends, and says why. */
export async function endMerged(ctx: Ctx, db: Db, { from, into }: { readonly from: number; readonly into: number }): Promise<void> {
  const waiting = await db
    .selectFrom('settings_change_request')
    .select(['id', 'home', 'target', 'subject_name', 'author_id'])
    .where('line_id', '=', from)
    .where('state', '=', 'waiting')
    .where('subject_id', 'is', null)
    .orderBy('id')
    .forUpdate()
    .execute();
  if (waiting.length === 0) return;
  const depts = await db.selectFrom('org_dept').select(['id', 'name']).where('id', 'in', [from, into]).execute();
  const nameOf = (id: number) => depts.find((one) => one.id === id)?.name ?? '';
  const names = { source: nameOf(from), into: nameOf(into) };
  for (const { id, home, target, subject_name: subject, author_id } of waiting) {
    await settle(ctx, db, 'refuse', id, { remark: t(ctx.lang, 'change.merged', names) });
    if (author_id === null) continue;
    await notify(db, {
      name: 'profileChangeMerged',
      params: { ...names, subject },
      to: { users: [author_id] },
      deptPath: '1.',
      link: authorLink(home, target),
      channels: ['centre', 'email'],
    });
  }
}
