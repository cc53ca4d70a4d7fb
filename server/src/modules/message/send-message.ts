import { fault } from '@mooring/contract/kit/fault';
import { messageCalls as declared, type messageCalls } from '@mooring/contract/message/calls';
import type { Ctx } from '../../platform/context.ts';
import { all, contains, range } from '../../platform/db/criteria.ts';
import { page } from '../../platform/db/page.ts';
import type { Handler } from '../../platform/module.ts';
import { rowExporter } from '../../platform/work/row-exporter.ts';
import { enqueueDelivery, type Target } from './notify.ts';

/** Never wider than the scope: `deptIds` and `userIds` were resolved under the policy before. */
async function targetOf(ctx: Ctx, input: { recipients: string; deptIds: number[]; userIds: number[] }): Promise<Target> {
  if (input.recipients === 'users') return { users: input.userIds };
  if (input.recipients === 'all') return { below: [ctx.scope.path] };
  const depts = await ctx.db.selectFrom('org_dept').select('dept_path').where('id', 'in', input.deptIds).execute();
  // Those above are seen too, and nobody speaks to them from below.
  if (depts.some((row) => !row.dept_path.startsWith(ctx.scope.path))) throw fault('NOT_FOUND');
  return { below: depts.map((row) => row.dept_path) };
}

export const sendMessage: Handler<typeof messageCalls.send> = async (ctx, input) => {
  const target = await targetOf(ctx, input);
  const { id } = await ctx.db
    .insertInto('message_message')
    .values({
      // Through a token another system speaks, though in a person's name.
      type: ctx.actor.apiToken ? '3' : '2',
      priority: input.priority,
      title: input.title,
      body: input.text,
      recipients: input.recipients,
      target: JSON.stringify(target),
      channels: [...new Set(['centre', ...input.channels])],
      sender_id: ctx.actor.userId,
      sender: ctx.actor.userName,
      dept_path: ctx.scope.path,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  await enqueueDelivery(ctx.db, id);
  ctx.audit({ target: `message ${input.title}`, after: { recipients: input.recipients, channels: input.channels } });
  return { id };
};

/** By people, and by other systems with their tokens; what the installation says by itself stands in nobody's list. */
export const sentTypes = ['2', '3'];

export const pageSent: Handler<typeof messageCalls.sent> = (ctx, { criteria, page: wanted }) => {
  const path = ctx.scope.path;
  const query = ctx.db
    .selectFrom('message_message as m')
    .select([
      'm.id',
      'm.title',
      'm.body',
      'm.priority',
      'm.recipients',
      'm.channels',
      'm.people',
      'm.read_count',
      'm.created_at',
      'm.sender',
    ])
    .where('m.type', 'in', sentTypes)
    .where('m.dept_path', '>=', path)
    .where('m.dept_path', '<', `${path}~`)
    .where(all(contains('m.title', criteria.text), range('m.created_at', criteria.createdAt)));
  return page(ctx.db, query, {
    page: wanted,
    sorts: { createdAt: 'm.created_at' },
    id: 'm.id',
    map: (row: Awaited<ReturnType<typeof query.executeTakeFirstOrThrow>>) => ({
      id: row.id,
      title: row.title,
      text: row.body,
      priority: row.priority as '1',
      recipients: row.recipients as 'all',
      channels: row.channels as 'centre'[],
      sender: row.sender,
      people: row.people,
      read: row.read_count,
      createdAt: row.created_at,
    }),
  });
};

export const sentExporter = rowExporter(declared.sent, declared.exportSent, {
  title: 'message.tab.sent',
  page: pageSent,
  sort: 'createdAt',
  columns: {
    title: 'message.subject',
    text: 'message.text',
    recipients: ['message.recipients', 'message.recipients.'],
    priority: ['message.priority', 'message.priority.'],
    people: 'message.people',
    read: 'message.read',
    sender: 'message.sender',
    createdAt: 'message.createdAt',
  },
});
