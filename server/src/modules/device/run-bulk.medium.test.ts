import { deviceCalls } from '@mooring/contract/device/calls';
import { backgroundJobCalls } from '@mooring/contract/file/background-job-calls';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { beginAgain } from '../../../test/begin-again.ts';
import { makeProduct } from '../../../test/firmware.ts';
import { type Client, type TestApp, testApp } from '../../../test/test-app.ts';
import { asOwner } from '../../../test/test-server.ts';
import type { DeptAt } from '../org/api.ts';

let app: TestApp;
let bank: DeptAt;
let banker: Client;

beforeAll(async () => {
  app = await testApp();
  bank = await app.dept('Harbour Bank');
  banker = await app.person('orgManager', bank);
  const productId = await makeProduct(app, { id: 2, path: '1.2.' });
  // Three batches and a rest.
  await app.context.unscoped((db) =>
    sql`insert into device (sn, name, status, product_id, dept_id, dept_path)
      select 'BULK-' || n, 'Bulk ' || n, '2', ${productId}, ${bank.id}, ${bank.path} from generate_series(1, 3400) n`.execute(db),
  );
});
afterAll(() => app.stop());

/** Tells the database to do something with each batch that `work` notes. */
async function atEachBatch(what: string, during: () => Promise<void>): Promise<void> {
  await asOwner(app.url, (owner) =>
    owner.query(`create function at_batch() returns trigger language plpgsql security definer as $$ begin ${what} return new; end $$;
      create trigger at_batch before update of done on work for each row when (old.state = 'running' and new.state = 'running') execute function at_batch()`),
  );
  await during();
  await asOwner(app.url, (owner) => owner.query('drop trigger at_batch on work; drop function at_batch'));
}
const bulk = { criteria: { sn: 'BULK-' }, except: [] };

test('a job whose organisation has gone ends with the reason and what it had done; one that meets a value that nothing takes too', async () => {
  const goal = await app.dept('Harbour Bank Goal', bank);
  const { work, total } = await banker.call(deviceCalls.move, { of: bulk, deptId: goal.id });
  await app.context.unscoped((db) => sql`update org_dept set state = 'disabled' where id = ${goal.id}`.execute(db));
  await app.runJobs();
  const shown = (id: number | null) => banker.call(backgroundJobCalls.detail, { id: id ?? 0 });
  expect(await shown(work)).toMatchObject({ state: 'failed', reason: 'NOT_FOUND', total, done: 0 });
  const tags = await banker.call(deviceCalls.retag, { of: bulk, add: ['broken'] });
  await atEachBatch(`if new.done > 1000 then perform 1 / 0; end if;`, () => app.runJobs());
  expect(await shown(tags.work)).toMatchObject({ state: 'failed', reason: 'BAD_INPUT', done: 1000 });
  expect((await banker.call(deviceCalls.page, { criteria: { tag: 'broken' } })).total).toBe(1000);
});

test('a right that is lost before a job comes to it, or on its way, goes for nothing more', async () => {
  await app.context.unscoped((db) =>
    sql`insert into access_role (code, name, type, platforms, menus, dept_id, dept_path)
      values ('tags', 'tags', '2', '{centre}', '{device,device:device:page,device:device:update}', 1, '1.')`.execute(db),
  );
  const person = await app.person('tags', bank);
  const retag = async (tag: string) => {
    const { work } = await person.call(deviceCalls.retag, { of: bulk, add: [tag] });
    return { tag, work: work ?? 0 };
  };
  const shown = async ({ tag, work }: { tag: string; work: number }) => {
    const { state, reason, done } = await person.call(backgroundJobCalls.detail, { id: work });
    return { state, reason, done, tagged: (await banker.call(deviceCalls.page, { criteria: { tag } })).total };
  };
  const lose = `update access_role set menus = '{device,device:device:page}' where code = 'tags';`;
  const [first, second] = [await retag('midway'), await retag('early')];
  await atEachBatch(lose, () => app.runJobs());
  expect(await shown(first)).toEqual({ state: 'failed', reason: 'FORBIDDEN', done: 1000, tagged: 1000 });
  expect(await shown(second)).toEqual({ state: 'failed', reason: 'FORBIDDEN', done: 0, tagged: 0 });
});

test('a job that begins again after a crash goes on where it was, and counts what it had done as done', async () => {
  const params = { values: { volume: 5 }, remove: [] };
  const { work, total } = await banker.call(deviceCalls.setConfigMany, { of: bulk, ...params });
  // Its process dies in the third batch: of that nothing is left.
  await atEachBatch(`if new.done > 2000 then raise exception 'gone'; end if;`, () => app.runJobs());
  const shown = () => banker.call(backgroundJobCalls.detail, { id: work ?? 0 });
  expect(await shown()).toMatchObject({ state: 'running', done: 2000 });
  await beginAgain(app, banker, bank, 'device.bulk', { work, name: 'configure', of: bulk, params }, true);
  await app.runJobs();
  expect(await shown()).toMatchObject({ state: 'done', total, done: total, failed: 0, failures: [] });
  const { rows } = await app.context.unscoped((db) =>
    sql<{
      n: number;
    }>`select count(*)::int as n from device where sn like 'BULK-%' and deleted_at is null and config->>'volume' = '5' and config_revision = 1`.execute(
      db,
    ),
  );
  expect(rows[0]?.n).toBe(total);
});
