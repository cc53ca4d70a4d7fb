import type { DeptAt } from '../src/modules/org/api.ts';
import type { Db } from '../src/platform/context.ts';
import type { TestApp } from './test-app.ts';

/** A group of the owner, without terminals. */
export const makeGroup = async (db: Db, owner: DeptAt, name: string): Promise<number> =>
  (
    await db
      .insertInto('device_group')
      .values({ name, kind: 'static', dept_id: owner.id, dept_path: owner.path })
      .returning('id')
      .executeTakeFirstOrThrow()
  ).id;

/** A shared view of a list. */
export const makeView = async (db: Db, owner: DeptAt, userId: number, name: string): Promise<number> => {
  const view = { user_id: userId, user_name: name, code: 'device.list', name, query: '', shared: true, dept_path: owner.path };
  return (await db.insertInto('settings_saved_view').values(view).returning('id').executeTakeFirstOrThrow()).id;
};

/** A notice of the owner, as one of its people has it. */
export const makeNotice = (app: TestApp, owner: DeptAt, userId: number, title: string): Promise<Record<string, number>> =>
  app.context.unscoped(async (db) => {
    const notice = { title, body: title, state: 'published', dept_id: owner.id, dept_path: owner.path, created_by: title };
    const { id } = await db.insertInto('message_notice').values(notice).returning('id').executeTakeFirstOrThrow();
    const delivery = { notice_id: id, user_id: userId, published_at: app.clock.now };
    const given = await db.insertInto('message_notice_delivery').values(delivery).returning('id').executeTakeFirstOrThrow();
    return { notice: id, noticeDelivery: given.id };
  });
