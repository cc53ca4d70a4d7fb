import type { ParsedInputOf } from '@mooring/contract/kit/call';
import { fault } from '@mooring/contract/kit/fault';
import { messageCalls as declared, type Message, type messageCalls } from '@mooring/contract/message/calls';
import { messageMachine } from '@mooring/contract/message/state-machines';
import { type RawBuilder, sql } from 'kysely';
import type { z } from 'zod';
import { allowing } from '../../platform/allowed-actions.ts';
import type { Ctx, Db } from '../../platform/context.ts';
import { all, containsWords, exact, range } from '../../platform/db/criteria.ts';
import { page } from '../../platform/db/page.ts';
import type { Handler } from '../../platform/module.ts';
import { t } from '../../platform/texts/translate.ts';
import { rowExporter } from '../../platform/work/row-exporter.ts';
import { bellNotices, notePoppedNotices } from './own-notices.ts';
import { sentTypes } from './send-message.ts';
import { searchedOf, wordsOf } from './words.ts';

const GROUP = '/message';
const BELL_MAX = 99;

/** One's own rows only: the tables have no organisation. */
const mine = (ctx: Ctx, db: Db = ctx.db) =>
  db
    .selectFrom('message_delivery as d')
    .innerJoin('message_message as m', 'm.id', 'd.message_id')
    .select([
      'd.id',
      'd.status',
      'd.created_at',
      'd.read_at',
      'm.type',
      'm.priority',
      'm.text_key',
      'm.params',
      'm.title',
      'm.body',
      'm.link',
    ])
    .select(['m.sender', 'm.recalled_at'])
    .where('d.user_id', '=', ctx.actor.userId);
type Row = Awaited<ReturnType<ReturnType<typeof mine>['executeTakeFirstOrThrow']>>;
const messageOf =
  (ctx: Ctx) =>
  (row: Row): z.input<typeof Message> => ({
    id: row.id,
    type: row.type as '1',
    priority: row.priority as '1',
    ...wordsOf(row, ctx.lang),
    ...(row.recalled_at ? { text: t(ctx.lang, 'message.recalled.text') } : {}),
    link: row.recalled_at ? null : row.link,
    sender: row.sender,
    status: row.status,
    createdAt: row.created_at,
    readAt: row.read_at,
    recalledAt: row.recalled_at,
    ...allowing(row.status === '0' ? ['read', 'delete'] : ['delete']),
  });

type Criteria = ParsedInputOf<typeof messageCalls.page>['criteria'];
/** One's own alone are looked through, by whose they are. */
async function meets(ctx: Ctx, { text, ...criteria }: Criteria): Promise<RawBuilder<boolean>> {
  return all(
    text === undefined ? undefined : containsWords(await searchedOf(ctx.db, ctx.actor.userId, ctx.lang), text),
    exact('d.status', criteria.status),
    exact('m.type', criteria.type),
    exact('m.priority', criteria.priority),
    range('d.created_at', criteria.createdAt),
  );
}

export const pageMessages: Handler<typeof messageCalls.page> = async (ctx, { criteria, page: wanted }) => {
  const query = mine(ctx).where(await meets(ctx, criteria));
  return page(ctx.db, query, { page: wanted, sorts: { createdAt: 'd.created_at' }, id: 'd.id', map: messageOf(ctx) });
};

export const ownExporter = rowExporter(declared.page, declared.export, {
  title: 'message.tab.mine',
  page: pageMessages,
  sort: 'createdAt',
  columns: {
    title: 'message.subject',
    text: 'message.text',
    priority: ['message.priority', 'message.priority.'],
    status: ['message.status', messageMachine],
    type: ['message.type', 'message.type.'],
    sender: 'message.sender',
    createdAt: 'message.createdAt',
  },
});

/** Reads rows and counts it at their messages, in one statement. */
async function read(ctx: Ctx, which: RawBuilder<unknown>): Promise<number> {
  const { rows } = await sql<{ n: number }>`
    with done as (
      update message_delivery set status = '1', read_at = ${ctx.now()}, popup = false where user_id = ${ctx.actor.userId} and status = '0' and ${which} returning message_id
    ), told as (
      update message_message m set read_count = read_count + 1 from done where m.id = done.message_id
    )
    select count(*)::int as n from done`.execute(ctx.db);
  await ctx.invalidate(ctx.db, GROUP, ctx.actor.deptPath);
  return rows[0]?.n ?? 0;
}
async function remove(ctx: Ctx, which: RawBuilder<unknown>): Promise<number> {
  const { rows } = await sql<{ n: number }>`
    with gone as (delete from message_delivery where user_id = ${ctx.actor.userId} and ${which} returning id) select count(*)::int as n from gone`.execute(
    ctx.db,
  );
  await ctx.invalidate(ctx.db, GROUP, ctx.actor.deptPath);
  return rows[0]?.n ?? 0;
}
const MOST = 5000;
type Chosen = ParsedInputOf<typeof messageCalls.readMany>;
/** One act on what was chosen, at most so many at once; `fits`: of which it is. What it isn't of is left as it is. */
async function onChosen(
  ctx: Ctx,
  { of, preview }: Chosen,
  fits: RawBuilder<boolean>,
  act: (which: RawBuilder<unknown>) => Promise<number>,
) {
  const rows = await mine(ctx)
    .clearSelect()
    .select('d.id')
    .where('ids' in of ? sql<boolean>`d.id = any(${of.ids}::bigint[])` : await meets(ctx, of.criteria))
    .where('ids' in of ? sql<boolean>`true` : sql<boolean>`d.id <> all(${of.except}::bigint[])`)
    .where(fits)
    .orderBy('d.id')
    .limit(MOST + 1)
    .execute();
  if (rows.length > MOST) throw fault('TOO_LARGE');
  const done = preview || rows.length === 0 ? 0 : await act(named(rows.map(({ id }) => id)));
  return { total: rows.length, done, refused: 0, failed: [], work: null };
}

const named = (ids: readonly number[]) => sql`id = any(${[...ids]}::bigint[])`;

export const readMessage: Handler<typeof messageCalls.detail> = async (ctx, { id }) => {
  await read(ctx, named([id]));
  const row = await mine(ctx).where('d.id', '=', id).executeTakeFirst();
  if (!row) throw fault('NOT_FOUND');
  return messageOf(ctx)(row);
};
export const readMessages: Handler<typeof messageCalls.read> = async (ctx, { ids }) => ({ changed: await read(ctx, named(ids)) });
export const readAll: Handler<typeof messageCalls.readAll> = async (ctx) => ({ changed: await read(ctx, sql`true`) });
export const deleteMessages: Handler<typeof messageCalls.delete> = async (ctx, { ids }) => ({ changed: await remove(ctx, named(ids)) });
export const readMany: Handler<typeof messageCalls.readMany> = (ctx, input) =>
  onChosen(ctx, input, sql<boolean>`d.status = '0'`, (which) => read(ctx, which));
export const deleteChosen: Handler<typeof messageCalls.deleteChosen> = (ctx, input) =>
  onChosen(ctx, input, sql<boolean>`true`, (which) => remove(ctx, which));
export const deleteMany: Handler<typeof messageCalls.deleteMany> = async (ctx, { which }) => ({
  changed: await remove(ctx, which === 'all' ? sql`true` : sql`status = ${which === 'read' ? '1' : '0'}`),
});

/** What somebody says with high priority; the installation’s own messages may be many, and cover nothing. */
const staying = sql<boolean>`(m.priority = '1' and m.type = any(${sentTypes}::text[]))`;

/** What shows once comes first: however much stays, it holds nothing else up. */
export const countMessages: Handler<typeof messageCalls.count> = async (ctx) => {
  const { rows } = await sql<{ n: number }>`
    select count(*)::int as n from (select 1 from message_delivery where user_id = ${ctx.actor.userId} and status = '0' limit ${BELL_MAX + 1}) few`.execute(
    ctx.db,
  );
  const popups = await mine(ctx).where('d.popup', '=', true).orderBy(staying).orderBy('d.id').limit(5).execute();
  const notices = await bellNotices(ctx, BELL_MAX + 1);
  return {
    unreadNum: Math.min((rows[0]?.n ?? 0) + notices.count, BELL_MAX + 1),
    notices: notices.popups,
    popups: popups.map((row) => ({
      id: row.id,
      priority: row.priority as '1',
      ...wordsOf(row, ctx.lang),
      sender: row.sender,
      stays: row.priority === '1' && sentTypes.includes(row.type),
    })),
  };
};
export const notePopped: Handler<typeof messageCalls.popped> = async (ctx, { ids }) => {
  await sql`
    update message_delivery d set popup = false from message_message m
    where m.id = d.message_id and not ${staying} and d.user_id = ${ctx.actor.userId} and d.id = any(${[...ids]}::bigint[])`.execute(ctx.db);
  return null;
};
export const notePoppedNotice: Handler<typeof messageCalls.poppedNotices> = async (ctx, { ids }) => {
  await notePoppedNotices(ctx, ids);
  return null;
};
