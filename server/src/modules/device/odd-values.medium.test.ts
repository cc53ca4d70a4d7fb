import { readFileSync } from 'node:fs';
import { upMessages } from '@mooring/contract/device/messages';
import { type UpKind, upKinds } from '@mooring/contract/device/topics';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { z } from 'zod';
import { type TestApp, testApp } from '../../../test/test-app.ts';
import { rolloutMessages } from '../../engines/rollout/handle-results.ts';
import type { Db } from '../../platform/context.ts';
import { type Refused, readMessage, type Taken } from '../../platform/gateway/message.ts';
import { outboxHandlers } from '../../platform/gateway/outbox.ts';
import { type Processing, processBatch } from '../../platform/gateway/process-batch.ts';
import { estate } from './device.factory.ts';
import { handleBeats } from './handle-beat.ts';
import { handleBye } from './handle-bye.ts';
import { handleEvents, handleProperties } from './handle-events.ts';
import { handleHello } from './handle-hello.ts';
import { handleLogs } from './log/handle-logs.ts';

type Json = { [key: string]: unknown };
interface Schema {
  readonly type?: string;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly additionalProperties?: Schema | boolean;
}
const recorded = JSON.parse(
  readFileSync(new URL(import.meta.resolve('@mooring/contract/device/messages').replace('messages.ts', 'recorded/v1.json')), 'utf8'),
) as {
  up: Record<UpKind, { data: Json }>;
};

let app: TestApp;
const refused: Refused[] = [];
beforeAll(async () => {
  app = await testApp({ realClock: true });
});
afterAll(() => app.stop());

const wheel = { set() {} };
const processing = (): Processing => ({
  app: app.context,
  handlers: [
    ...outboxHandlers,
    ...rolloutMessages([]),
    handleHello(wheel as never),
    handleBeats(wheel),
    handleBye(wheel as never),
    handleEvents,
    handleLogs,
    handleProperties,
  ],
  refuse: (one) => refused.push(one),
  ack() {},
  stopped: () => false,
});
const un = <T>(work: (db: Db) => Promise<T>) => app.context.unscoped(work);

async function terminals(sns: readonly string[]): Promise<void> {
  await un(async (db) => {
    const { productId } = await estate(db);
    await sql`
      with d as (
        insert into device (sn, name, status, product_id, dept_id, dept_path) select sn, sn, '3', ${productId}, 7, '1.2.7.' from unnest(${sns}::text[]) as s(sn) returning id
      ) insert into device_presence (device_id, online) select id, true from d`.execute(db);
  });
}
let count = 0;
/** Off the wire, as text: numbers stand there as no double says them. */
function said(sn: string, kind: UpKind, data: string, at = new Date().toISOString()): Taken | undefined {
  count += 1;
  const payload = Buffer.from(`{"v":1,"id":"m-${count}","at":"${at}","data":${data}}`);
  const found = readMessage(sn, kind, payload, new Date());
  return 'taken' in found ? found.taken : undefined;
}

/** Every number that a schema takes, by its place. */
function numbersOf(schema: Schema, at: readonly string[] = []): { at: readonly string[]; schema: Schema }[] {
  if (schema.type === 'number' || schema.type === 'integer') return [{ at, schema }];
  const inside = Object.entries(schema.properties ?? {}).flatMap(([key, one]) => numbersOf(one, [...at, key]));
  const more = schema.additionalProperties;
  return typeof more === 'object' ? [...inside, ...numbersOf(more, [...at, 'any'])] : inside;
}
/** The recorded message with this literal in that place. */
function withNumber(data: Json, [first = '', ...rest]: readonly string[], literal: string): Json {
  if (rest.length === 0) return { ...data, [first]: `#${literal}#` };
  return { ...data, [first]: withNumber((data[first] ?? {}) as Json, rest, literal) };
}
const literals = [
  '0',
  '-0',
  '1',
  '-1',
  '0.5',
  '1e-60',
  '5e-324',
  '-1e-60',
  '1e-46',
  '1e38',
  '1e39',
  '1e300',
  '-1e300',
  '1e400',
  '2147483648',
  '9007199254740991',
  '9007199254740993',
  '9223372036854775808',
  '3.4028236e38',
  '0.1000000000000000055511151231257827',
];

const fields = upKinds.flatMap((kind) =>
  numbersOf(z.toJSONSchema(upMessages[kind], { io: 'input', unrepresentable: 'any' }) as Schema).map((one) => ({ kind, ...one })),
);

test('all numbers of all messages are known to this test', () => {
  expect(fields.map((one) => `${one.kind} ${one.at.join('.')}`)).toEqual(
    expect.arrayContaining([
      'beat battery',
      'beat uptime',
      'beat counters.any',
      'hello order',
      'progress percent',
      'result durationMs',
      'log part',
    ]),
  );
});

test('no number that is taken off the wire is one that the database refuses', async () => {
  const cases = fields.flatMap(({ kind, at, schema }) =>
    [...new Set([...literals, ...[schema.minimum, schema.maximum].flatMap((one) => (one === undefined ? [] : [String(one)]))])].map(
      (literal) => ({
        kind,
        what: `${kind} ${at.join('.')} ${literal}`,
        data: JSON.stringify(withNumber(recorded.up[kind].data, at, literal)).replaceAll(/"#(.*?)#"/g, '$1'),
      }),
    ),
  );
  const sns = cases.map((_, n) => `ODD-${n}`);
  await terminals(sns);
  refused.length = 0;
  for (const kind of upKinds) {
    const batch = cases.flatMap((one, n) => {
      const taken = one.kind === kind ? said(`ODD-${n}`, kind, one.data) : undefined;
      return taken ? [taken] : [];
    });
    await processBatch(processing(), batch);
  }
  expect(refused.map((one) => cases[Number(one.sn.slice(4))]?.what)).toEqual([]);
});

test('whatever moment a terminal’s clock says, its messages are taken', async () => {
  const moments = [
    '0000-01-01T00:00:00Z',
    '0000-01-01T00:00:00+23:59',
    '0001-01-01T00:00:00Z',
    '1969-12-31T23:59:59Z',
    '1970-01-01T00:00:00Z',
    '9999-12-31T23:59:59-23:59',
    '9999-12-31T23:59:59.999999999Z',
    '2016-12-31T23:59:59Z',
  ];
  await terminals(['WHEN-1']);
  refused.length = 0;
  for (const kind of upKinds) {
    const data = JSON.stringify(recorded.up[kind].data);
    await processBatch(
      processing(),
      moments.flatMap((at) => said('WHEN-1', kind, data, at) ?? []),
    );
  }
  expect(refused.map((one) => `${one.kind} ${one.reason}`)).toEqual([]);
  const kept = await un((db) =>
    sql<{
      year: number;
    }>`select distinct extract(year from terminal_at at time zone 'UTC')::int as year from device_event order by 1`.execute(db),
  );
  expect(kept.rows.map((row) => row.year)).toEqual([1970, 2016, 2200]);
});

test('a terminal’s figures that are beyond all sense are clamped, and the rest of its message counts', async () => {
  await terminals(['CLAMP-1']);
  await processBatch(
    processing(),
    [said('CLAMP-1', 'beat', '{"battery":1e-60,"uptime":1e300,"temperature":31}')].flatMap((one) => one ?? []),
  );
  const kept = await un((db) =>
    sql`select battery, uptime::text, temperature from device_presence p join device d on d.id = p.device_id where d.sn = 'CLAMP-1'`.execute(
      db,
    ),
  );
  expect(kept.rows).toEqual([{ battery: 0, uptime: String(Number.MAX_SAFE_INTEGER), temperature: 31 }]);
});

const properties = async (sn: string) =>
  (
    await un((db) =>
      sql<{
        properties: Json | null;
      }>`select properties from device_presence p join device d on d.id = p.device_id where d.sn = ${sn}`.execute(db),
    )
  ).rows[0]?.properties ?? {};
const saysProperties = (sn: string, values: Json) =>
  processBatch(
    processing(),
    [said(sn, 'property', JSON.stringify({ values }))].flatMap((one) => one ?? []),
  );

test('a terminal keeps 256 properties and 64 kB of them; what is beyond is refused and told, what it has is still brought up to date', async () => {
  await terminals(['KEYS-1', 'KEYS-2']);
  refused.length = 0;
  const many = (from: number, to: number) => Object.fromEntries(Array.from({ length: to - from }, (_, n) => [`k${from + n}`, 1]));
  await saysProperties('KEYS-1', many(0, 200));
  expect(refused).toEqual([]);
  await saysProperties('KEYS-1', { ...many(200, 300), k0: 2 });
  const held = await properties('KEYS-1');
  expect([Object.keys(held).length, held.k0, held.k255, held.k256]).toEqual([256, 2, 1, undefined]);
  expect(refused.map((one) => `${one.sn} ${one.kind} ${one.reason}`)).toEqual(['KEYS-1 property properties: 44 beyond 256 or 65536 bytes']);
  refused.length = 0;
  for (let n = 0; n < 6; n += 1) await saysProperties('KEYS-2', { [`big${n}`]: 'x'.repeat(20_000) });
  expect(Object.keys(await properties('KEYS-2'))).toEqual(['big0', 'big1', 'big2']);
  expect(refused).toHaveLength(3);
  // Room is made by what is smaller.
  await saysProperties('KEYS-2', { big0: 1 });
  await saysProperties('KEYS-2', { big5: 'x'.repeat(20_000) });
  expect(Object.keys(await properties('KEYS-2')).sort()).toEqual(['big0', 'big1', 'big2', 'big5']);
});
