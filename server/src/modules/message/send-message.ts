import { fault } from '@mooring/contract/kit/fault';
import { messageCalls as declared, type messageCalls } from '@mooring/contract/message/calls';
import { allowing } from '../../platform/allowed-actions.ts';
import type { Ctx } from '../../platform/context.ts';
import { all, contains, range } from '../../platform/db/criteria.ts';
import { page } from '../../platform/db/page.ts';
import type { Handler } from '../../platform/module.ts';
import { rowExporter } from '../../platform/work/row-exporter.ts';
import { type Target, writeMessage } from './notify.ts';

interface Sent {
  readonly title: string;
  readonly text: string;
  readonly priority: string;
  readonly channels: readonly string[];
  readonly recipients: string;
  readonly deptIds: readonly number[];
}
/** Never wider than the scope: organisations and people were resolved under the policy before. */
async function targetOf(ctx: Ctx, { recipients, deptIds }: Sent, users: readonly number[]): Promise<Target> {
  if (recipients === 'users') return { users };
  if (recipients === 'all') return { below: [ctx.scope.path] };
  const depts = await ctx.db.selectFrom('org_dept').select('dept_path').where('id', 'in', deptIds).execute();
  // Those above are seen too, and nobody speaks to them from below.
  if (depts.some((row) => !row.dept_path.startsWith(ctx.scope.path))) throw fault('NOT_FOUND');
  return { below: depts.map((row) => row.dept_path) };
}

/** What a person or another system says. */
export async function send(ctx: Ctx, sent: Sent, users: readonly number[], sender: { readonly type: string; readonly sender: string }) {
  const { title, text: body, priority, recipients, channels } = sent;
  const id = await writeMessage(ctx.db, await targetOf(ctx, sent, users), {
    ...sender,
    priority,
    title,
    body,
    recipients,
    channels: [...new Set(['centre', ...channels])],
    sender_id: ctx.actor.userId,
    dept_path: ctx.scope.path,
  });
  return { id };
}

export const sendMessage: Handler<typeof messageCalls.send> = async (ctx, input) => {
  // Through a token another system speaks, though in a person's name.
  const made = await send(ctx, input, input.userIds, { type: ctx.actor.apiToken ? '3' : '2', sender: ctx.actor.userName });
  ctx.audit({ target: `message ${input.title}`, after: { recipients: input.recipients, channels: input.channels } });
  return made;
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
      'm.recalled_at',
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
      recalledAt: row.recalled_at,
      ...allowing(row.recalled_at === null ? ['recall'] : []),
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
    recalledAt: 'message.recalledAt',
  },
});
