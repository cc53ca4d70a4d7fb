import { developerCalls } from '@mooring/contract/app/calls';
import { Developer } from '@mooring/contract/app/schemas';
import { Fault, fault } from '@mooring/contract/kit/fault';
import type { Ctx } from '../../platform/context.ts';
import { lockSet } from '../../platform/db/lock-set.ts';
import { move } from '../../platform/db/move.ts';
import type { Handler } from '../../platform/module.ts';
import { type Resource, resource } from '../../platform/resource/resource.ts';
import { tellDeveloper } from './tell.ts';

type Calls = typeof developerCalls;
const target = (row: { dept_id: number; contact_name: string }) => `developer ${row.contact_name}`;
const said = {
  accept: 'developerAccepted',
  refuse: 'developerRefused',
  suspend: 'developerSuspended',
  resume: 'developerResumed',
} as const;

/** Nobody accepts their own organisation; above the platform there is nobody. */
const isOwn = ({ dept_path: path }: { readonly dept_path: string }, { scope }: Ctx): boolean => path === scope.path && path !== '1.';
const fromAbove = (row: { readonly dept_path: string }, ctx: Ctx) => isOwn(row, ctx) && 'APP_DEVELOPER_ABOVE';

/** A decision about an application or a developer; whoever applied hears of it. */
async function decide(ctx: Ctx, event: keyof typeof said, id: number, reason = '') {
  const row = await ctx.db.selectFrom('app_developer').selectAll().where('id', '=', id).forUpdate().executeTakeFirst();
  if (!row) throw fault('NOT_FOUND');
  if (isOwn(row, ctx)) throw new Fault('APP_DEVELOPER_ABOVE');
  const set = { reason, decided_by: ctx.actor.userName };
  const moved = await move(ctx.db, developers.rows, event, [id], { actorId: ctx.actor.userId, set, detail: { text: reason } });
  if (moved.length === 0) throw fault('OVERTAKEN');
  await tellDeveloper(ctx, ctx.db, row, said[event], reason);
  ctx.audit({ target: target(row), ...(reason === '' ? {} : { after: { reason } }) });
  // Call-backs of its apps stop and go on with it.
  for (const group of ['/softApp/developer', '/app/url/callback']) await ctx.invalidate(ctx.db, group, row.dept_path);
  return developers.read(ctx, id);
}

const own: Handler<Calls['own']> = async (ctx) => {
  const found = await ctx.db
    .selectFrom('app_developer')
    .select('id')
    .where('dept_id', '=', ctx.scope.deptId)
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst();
  return found ? developers.read(ctx, found.id) : null;
};

/** Of an organisation there is one: two at once are one application, and one that was declined applies again. */
const apply: Handler<Calls['apply']> = async (ctx, { contactName, email, phone, website, about }) => {
  const { deptId, path } = ctx.scope;
  await lockSet(ctx.db, `developer:${deptId}`);
  const before = await own(ctx, {}, undefined as never);
  if (before && before.state !== 'refused') throw new Fault('APP_DEVELOPER_KNOWN');
  const applicant = { applied_by_id: ctx.actor.userId, applied_by: ctx.actor.userName, applied_at: ctx.now() };
  const set = { contact_name: contactName, email, phone, website, about, ...applicant, reason: '', decided_by: '' };
  let id: number;
  if (before) {
    ({ id } = before);
    await move(ctx.db, developers.rows, 'apply', [id], { actorId: ctx.actor.userId, set });
    ctx.audit({ target: `developer ${contactName}` });
  } else ({ id } = await developers.add(ctx, { contactName, email, phone, website, about }));
  if (!before) await ctx.db.updateTable('app_developer').set(applicant).where('id', '=', id).execute();
  await tellDeveloper(ctx, ctx.db, { dept_id: deptId, dept_path: path, applied_by_id: ctx.actor.userId }, 'developerApplied');
  await ctx.invalidate(ctx.db, '/softApp/developer', path);
  return developers.read(ctx, id);
};

export const developers: Resource<typeof Developer> = resource(Developer, developerCalls, {
  table: 'app_developer',
  small: true,
  target,
  joined: (query) => query.innerJoin('org_dept as o', 'o.id', 't.dept_id').select('o.name as dept_name'),
  refuses: { accept: fromAbove, refuse: fromAbove, suspend: fromAbove, resume: fromAbove },
  handlers: {
    own,
    apply,
    accept: (ctx, { id }) => decide(ctx, 'accept', id),
    resume: (ctx, { id }) => decide(ctx, 'resume', id),
    refuse: (ctx, { id, reason }) => decide(ctx, 'refuse', id, reason),
    suspend: (ctx, { id, reason }) => decide(ctx, 'suspend', id, reason),
  },
});
