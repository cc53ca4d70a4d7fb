import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Client, type TestApp, testApp } from '../../../test/test-app.ts';
import type { DeptAt } from '../org/api.ts';
import { authorities } from './profile.factory.ts';
import { changeProfile, makeProfile } from './signing.factory.ts';

let app: TestApp;
let bank: DeptAt;
let author: Client;
let second: Client;
const folder = mkdtempSync(join(tmpdir(), 'mooring-ends-'));
beforeAll(async () => {
  app = await testApp();
  // Authorities are made by the machine's clock.
  app.clock.now = new Date(app.clock.now.getTime() + 3_600_000);
  bank = await app.dept('Bank');
  author = await app.person('signingOfficer', bank);
  second = await app.person('signingOfficer', bank);
});
afterAll(async () => {
  await app?.stop();
  rmSync(folder, { recursive: true, force: true });
});

const DAY = 86_400_000;
const told = async () => {
  await app.context.unscoped((db) => app.context.enqueue(db, 'signing:sweep', {}));
  await app.runJobs();
  const { rows } = await app.context.unscoped((db) =>
    sql<{ days: number; what: string }>`
      select (params ->> 'days')::int as days, params ->> 'whatKey' as what from message_message where text_key = 'signingProfileEnds' order by id`.execute(
      db,
    ),
  );
  return rows.map(({ days, what }) => [days, what]);
};

test('the certificate of a profile that ends first is told sixty, thirty and seven days before, and another one anew; one that can’t be read holds none up', async () => {
  const ca = authorities(folder);
  const broken = await makeProfile(author, second, {
    name: 'Broken',
    deptId: bank.id,
    kind: 'chain',
    root: ca.root('Bad').pem,
  } as never);
  await app.context.unscoped((db) => db.updateTable('signing_profile').set({ root: 'nothing' }).where('id', '=', broken.id).execute());
  const { id, revision } = await makeProfile(author, second, {
    name: 'Shops',
    deptId: bank.id,
    kind: 'chain',
    root: ca.root('Old', 90).pem,
  } as never);
  const began = app.clock.now;
  const at = (days: number) => {
    app.clock.now = new Date(began.getTime() + days * DAY);
    return told();
  };
  const root = 'signingProfile.ends.root';
  try {
    expect(await at(20)).toEqual([]);
    expect(await at(31)).toEqual([[59, root]]);
    expect(await at(32)).toEqual([[59, root]]);
    expect(await at(61)).toEqual([
      [59, root],
      [29, root],
    ]);
    await changeProfile(author, second, {
      id,
      revision,
      name: 'Shops',
      productIds: [],
      root: ca.root('New', 85).pem,
      remark: '',
    } as never);
    expect((await at(62)).at(-1)).toEqual([23, root]);
    expect((await at(90)).length).toBe(3);
  } finally {
    app.clock.now = began;
  }
});
