import { MessageId, upMessages } from '@mooring/contract/device/messages';
import type { UpKind } from '@mooring/contract/device/topics';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { z } from 'zod';
import { estate } from '../../src/modules/device/device.factory.ts';
import { makeModules } from '../../src/modules/modules.ts';
import type { Db } from '../../src/platform/context.ts';
import { makeFileToken, readFileToken } from '../../src/platform/gateway/file-token.ts';
import type { Taken } from '../../src/platform/gateway/message.ts';
import { outboxHandlers } from '../../src/platform/gateway/outbox.ts';
import { processBatch } from '../../src/platform/gateway/process-batch.ts';
import { type TestApp, testApp } from '../test-app.ts';

/** Every word of a terminal that names an id of ours: another terminal, of another organisation, says it first, in the same batch. */

let app: TestApp;
beforeAll(async () => {
  app = await testApp();
});
afterAll(() => app.stop());

interface Saying {
  /** What the thief says, and what its owner. */
  readonly forged: Record<string, unknown>;
  readonly own: Record<string, unknown>;
  /** What is there besides, by the id that is named. */
  readonly given?: (db: Db, victim: Victim, key: string) => Promise<unknown>;
  /** What is looked at, and how it is when only the owner was heard. */
  readonly look: (db: Db, victim: Victim) => Promise<unknown>;
  readonly told: unknown;
}
interface Victim {
  readonly deviceId: number;
  readonly resultId: number;
}

const first = async (db: Db, query: ReturnType<typeof sql>) => (await query.execute(db)).rows[0];
const resultOf = (db: Db, { resultId }: Victim) =>
  first(db, sql`select state, phase, percent, reason, version from rollout_result where id = ${resultId}`);
const outboxOf =
  (topic: string) =>
  async (db: Db, { deviceId }: Victim) =>
    first(db, sql`select state, reason from gateway_outbox where device_id = ${deviceId} and topic = ${topic}`);

const sayings: Readonly<Record<string, Readonly<Record<string, Saying>>>> = {
  progress: {
    offer: {
      forged: { phase: 'downloading', percent: 99, reason: 'forged' },
      own: { phase: 'downloading', percent: 40 },
      look: resultOf,
      told: { state: '2', phase: 'downloading', percent: 40, reason: null, version: null },
    },
  },
  result: {
    offer: {
      forged: { outcome: 'failure', reason: 'signatureWrong', version: '6.6.6' },
      own: { outcome: 'success', version: '2.0' },
      look: resultOf,
      told: { state: '3', phase: null, percent: null, reason: null, version: '2.0' },
    },
  },
  reply: {
    command: {
      forged: { outcome: 'failed', reason: 'forged' },
      own: { outcome: 'done' },
      look: outboxOf('command'),
      told: { state: 'done', reason: null },
    },
    cancel: {
      forged: { outcome: 'failed', reason: 'forged' },
      own: { outcome: 'done' },
      look: outboxOf('cancel'),
      told: undefined,
    },
    config: {
      forged: { outcome: 'failed', reason: 'forged' },
      own: { outcome: 'done' },
      look: outboxOf('config'),
      told: undefined,
    },
  },
  test: {
    command: {
      forged: { parts: [{ part: 'printer', outcome: 'failed' }] },
      own: { parts: [{ part: 'printer', outcome: 'passed' }] },
      given: async (db, { deviceId }, key) =>
        sql`insert into hardware_test (key, device_id, sn, product_id, parts, dept_id, dept_path, created_at, expires_at)
          select ${key}, id, sn, product_id, '{printer}', dept_id, dept_path, now(), now() + interval '1 day' from device where id = ${deviceId}`.execute(
          db,
        ),
      look: async (db) => (await sql`select outcome from hardware_test_part`.execute(db)).rows,
      told: [{ outcome: 'passed' }],
    },
  },
  log: {
    command: {
      forged: { part: 0, last: true, text: 'forged' },
      own: { part: 0, last: true, text: 'own' },
      look: async (db, { deviceId }) =>
        (await sql`select device_id = ${deviceId} as own, text from device_log order by 1`.execute(db)).rows,
      told: [{ own: true, text: 'own' }],
    },
  },
};

test('every kind that names an id is walked', () => {
  const naming = (Object.keys(upMessages) as UpKind[]).filter((kind) =>
    Object.values(upMessages[kind].shape).some(
      (field) => field === MessageId || (field instanceof z.ZodOptional && field.unwrap() === MessageId),
    ),
  );
  expect(naming.sort()).toEqual(Object.keys(sayings).sort());
});

/** A terminal of another organisation than the others, with a deployment under way and one message of each kind. */
async function victimOf(db: Db, name: string): Promise<Victim & { readonly keys: Readonly<Record<string, string>> }> {
  const { productId } = await estate(db);
  await sql`insert into org_dept (id, parent_id, dept_path, kind, name) values (8, 2, '1.2.8.', 'organisation', 'Thief Bank') on conflict do nothing`.execute(
    db,
  );
  const device = async (sn: string, deptId: number) =>
    (
      (await first(
        db,
        sql`insert into device (sn, name, status, product_id, dept_id, dept_path) values (${sn}, ${sn}, '3', ${productId}, ${deptId}, ${`1.2.${deptId}.`}) returning id`,
      )) as { id: number }
    ).id;
  const deviceId = await device(`OWN-${name}`, 7);
  await device(`THIEF-${name}`, 8);
  const { id: taskId } = (await first(
    db,
    sql`insert into rollout_task (kind, name, package_id, product_id, release_scope, scope, delivery, state, dept_id, dept_path, created_by, created_by_name)
    values ('firmware', 'Bound', 1, ${productId}, '0', '{}', '{}', 'running', 7, '1.2.7.', 1, 'admin') returning id`,
  )) as { id: number };
  const keys = { offer: `o-${name}`, command: `m-${name}`, cancel: `c-${name}`, config: `cfg-${name}` };
  const { id: resultId } = (await first(
    db,
    sql`insert into rollout_result (task_id, kind, device_id, sn, ring, state, next_at, tries_left, offer, dept_path)
    values (${taskId}, 'firmware', ${deviceId}, ${`OWN-${name}`}, 1, '2', now(), 0, ${keys.offer}, '1.2.7.') returning id`,
  )) as { id: number };
  await sql`insert into rollout_attempt (offer, result_id, device_id, no, dept_path) values (${keys.offer}, ${resultId}, ${deviceId}, 1, '1.2.7.')`.execute(
    db,
  );
  for (const [topic, key] of Object.entries(keys))
    await sql`insert into gateway_outbox (key, device_id, sn, dept_path, topic, kind, data, state, next_at, expires_at)
      values (${key}, ${deviceId}, ${`OWN-${name}`}, '1.2.7.', ${topic}, ${topic === 'command' ? 'logPull' : topic}, '{}', 'sent', 'infinity', now() + interval '1 hour')`.execute(
      db,
    );
  return { deviceId, resultId, keys };
}

const cases = Object.entries(sayings).flatMap(([kind, named]) => Object.entries(named).map(([of, saying]) => [kind, of, saying] as const));

test.each(cases)('%s about a %s counts from its own terminal alone', async (kind, of, { forged, own, given, look, told }) => {
  const name = `${kind}-${of}`.toUpperCase();
  const { unscoped } = app.context;
  const victim = await unscoped((db) => victimOf(db, name));
  await unscoped(async (db) => given?.(db, victim, victim.keys[of] ?? ''));
  const handlers = [...outboxHandlers, ...makeModules(app.context).modules.flatMap((module) => module.messages ?? [])];
  const naming = kind === 'progress' || kind === 'result' ? 'offer' : 'to';
  const publish = (sn: string, id: string, data: object): Taken => ({
    sn,
    kind: kind as UpKind,
    id,
    at: new Date(),
    receivedAt: new Date(),
    data: { ...data, [naming]: victim.keys[of] },
  });
  const take = (batch: readonly Taken[]) =>
    processBatch({ app: app.context, handlers, refuse: () => {}, ack: () => {}, stopped: () => false }, batch);
  const before = await unscoped((db) => Promise.all(Object.keys(victim.keys).map((topic) => outboxOf(topic)(db, victim))));
  await take([publish(`THIEF-${name}`, 't-0', forged)]);
  expect(await unscoped((db) => Promise.all(Object.keys(victim.keys).map((topic) => outboxOf(topic)(db, victim))))).toEqual(before);
  await take([publish(`THIEF-${name}`, 't-1', forged), publish(`OWN-${name}`, 'own', own), publish(`THIEF-${name}`, 't-2', forged)]);
  expect(await unscoped((db) => look(db, victim))).toEqual(told);
});

test('a link to a file is of the terminal that it was made for', () => {
  const { masterKey } = app.context;
  const [now, later] = [new Date(), new Date(Date.now() + 60_000)];
  const link = makeFileToken(masterKey, { sn: 'OWN-1', sha256: 'a'.repeat(64), expiresAt: later });
  const [body = '', mac = ''] = link.split('.');
  const other = Buffer.from(Buffer.from(body, 'base64url').toString().replace('OWN-1', 'OWN-2')).toString('base64url');
  expect(readFileToken(masterKey, link, now)).toMatchObject({ sn: 'OWN-1' });
  expect(readFileToken(masterKey, `${other}.${mac}`, now)).toBe('wrong');
});
