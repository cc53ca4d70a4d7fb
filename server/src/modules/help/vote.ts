import type { helpCalls } from '@mooring/contract/help/calls';
import { fault } from '@mooring/contract/kit/fault';
import { sql } from 'kysely';
import type { Handler } from '../../platform/module.ts';

/** The counts are changed by what differs from the vote before, under the lock of the article: two at once count as two. */
export const voteHelp: Handler<typeof helpCalls.vote> = (ctx, { key, helpful, reason, version }) =>
  ctx.unscoped(async (db) => {
    const article = await db
      .selectFrom('help_article')
      .select(['id', 'version'])
      .where('key', '=', key)
      .where('state', 'in', ['published', 'revised'])
      .forUpdate()
      .executeTakeFirst();
    if (!article) throw fault('NOT_FOUND');
    const ofMine = { article_id: article.id, user_id: ctx.actor.userId };
    const before = await db
      .deleteFrom('help_vote')
      .where('article_id', '=', article.id)
      .where('user_id', '=', ctx.actor.userId)
      .returning(['helpful', 'reason', 'version'])
      .executeTakeFirst();
    const kept = before?.helpful === false && reason === undefined ? before : undefined;
    const said = { reason: kept?.reason ?? reason ?? '', version: kept?.version ?? Math.min(version ?? article.version, article.version) };
    if (helpful !== null)
      await db
        .insertInto('help_vote')
        .values({ ...ofMine, helpful, ...said, ...(helpful ? { reason: '' } : {}), voted_at: ctx.now() })
        .execute();
    const more = (of: boolean) => Number(helpful === of) - Number(before?.helpful === of);
    await sql`update help_article set helpful = helpful + ${more(true)}, unhelpful = unhelpful + ${more(false)} where id = ${article.id}`.execute(
      db,
    );
    await ctx.invalidate(db, '/helpArticle', '1.');
    return null;
  });
