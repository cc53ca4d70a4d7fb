import { deviceCalls } from '@mooring/contract/device/calls';
import { deviceThingCalls } from '@mooring/contract/device/thing/thing-calls';
import { productModelCalls } from '@mooring/contract/product/model-calls';
import type { ThingModel } from '@mooring/contract/product/thing-model';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { makeDevices, makeProduct } from '../../../../test/firmware.ts';
import { type Client, type TestApp, testApp } from '../../../../test/test-app.ts';
import { readMessage } from '../../../platform/gateway/message.ts';
import { claimDue, expireOld, outboxHandlers, wake } from '../../../platform/gateway/outbox.ts';
import { processBatch } from '../../../platform/gateway/process-batch.ts';
import type { DeptAt } from '../../org/api.ts';
import { handleEvents, handleProperties } from '../handle-events.ts';
import { withoutMisfits } from './fits-model.ts';

const level = (max: number): ThingModel['properties'][number] => ({
  id: 'level',
  name: 'Level',
  access: 'rw',
  dataType: { kind: 'int', min: 0, max, step: 5, unit: '%' },
});
const model = (max = 100): ThingModel => ({
  properties: [
    level(max),
    { id: 'heat', name: 'Heat', access: 'r', dataType: { kind: 'float', min: null, max: null, step: null, unit: '°C' } },
    {
      id: 'receipt',
      name: 'Receipt',
      access: 'rw',
      dataType: {
        kind: 'struct',
        fields: [{ id: 'lines', name: 'Lines', dataType: { kind: 'array', maxItems: 2, item: { kind: 'text', maxLength: 5 } } }],
      },
    },
  ],
  services: [
    {
      id: 'print',
      name: 'Print',
      sync: true,
      input: [{ id: 'copies', name: 'Copies', dataType: { kind: 'int', min: 1, max: 3, step: null, unit: null } }],
      output: [{ id: 'printed', name: 'Printed', dataType: { kind: 'bool', yes: 'Yes', no: 'No' } }],
    },
  ],
  events: [{ id: 'paperOut', name: 'Paper out', level: 'warning', params: [{ id: 'at', name: 'At', dataType: { kind: 'date' } }] }],
});

let app: TestApp;
let admin: Client;
let banker: Client;
let foreigner: Client;
let bank: DeptAt;
let productId = 0;
let ids: number[] = [];
const sns = Array.from({ length: 16 }, (_, n) => `THING-${String(n + 1).padStart(4, '0')}`);

async function publish(of: ThingModel, confirm = 'MODELLED'): Promise<void> {
  const { draft } = await admin.call(productModelCalls.current, { productId });
  const saved = await admin.call(productModelCalls.save, { productId, seen: draft?.revision ?? null, model: of });
  await admin.call(productModelCalls.publish, { id: saved.id, seen: saved.revision ?? 0, confirm });
}

beforeAll(async () => {
  app = await testApp();
  admin = await app.person('platformAdmin', app.root, 'manager');
  bank = await app.dept('Harbour Bank');
  banker = await app.person('orgManager', bank);
  foreigner = await app.person('orgManager', await app.dept('Meridian'));
  productId = await makeProduct(app, app.root, 'MODELLED');
  ids = await makeDevices(app, bank, productId, sns);
});
afterAll(() => app.stop());

let told = 0;
const say = (index: number, kind: 'property' | 'reply' | 'event', data: unknown) => {
  told += 1;
  const envelope = { v: 1, id: `thing-${told}`, at: app.clock.now.toISOString(), data };
  const read = readMessage(sns[index] ?? '', kind, Buffer.from(JSON.stringify(envelope)), app.clock.now);
  if ('refused' in read) throw new Error(read.refused.reason);
  const inTime = { ...app.context, now: () => app.clock.now };
  const handlers = [handleProperties, handleEvents, ...outboxHandlers];
  const refuse = ({ reason }: { reason: string }) => {
    throw new Error(reason);
  };
  return processBatch({ app: inTime, handlers, refuse, ack() {}, stopped: () => false }, [read.taken]);
};
const idAt = (index: number) => ids[index] ?? 0;
const read = (index: number, who = banker) => who.call(deviceThingCalls.read, { id: idAt(index) });
const property = async (index: number, id = 'level') => (await read(index)).properties.find((one) => one.id === id);
const set = (index: number, values: Record<string, unknown>, who = banker) =>
  who.send(deviceThingCalls.set, { id: idAt(index), values: values as never });
const wrongAt = async (asked: ReturnType<Client['send']>) => {
  const { body } = await asked;
  const fields = (body as { fields?: Record<string, { key: string; message: string }> }).fields ?? {};
  return Object.fromEntries(Object.entries(fields).map(([at, { message }]) => [at, message]));
};
interface Command {
  readonly id: number;
  readonly key: string;
  readonly state: string;
  readonly reason: string | null;
  readonly kind: string;
}
const commands = async (index: number): Promise<Command[]> =>
  (
    await app.context.unscoped((db) =>
      sql<Command>`select id, key, state, reason, kind from gateway_outbox where device_id = ${idAt(index)} order by id desc`.execute(db),
    )
  ).rows;
/** The terminal comes, and is sent what waits: what goes, by its kind. */
const come = (index: number) =>
  app.context.inBulk(async (db) => {
    await wake(db, [idAt(index)], app.clock.now);
    const due = await withoutMisfits(db, app.context, await claimDue(db, app.clock.now, 100));
    return due.filter((one) => one.sn === sns[index]).map((one) => one.data);
  });
const later = (seconds: number) => {
  app.clock.now = new Date(app.clock.now.getTime() + seconds * 1000);
};

test('a product without a model: what is told stands apart, and nothing can be asked', async () => {
  await say(0, 'property', { values: { level: 5 } });
  const state = await read(0);
  expect(state).toMatchObject({ version: null, properties: [], others: [{ id: 'level', value: 5 }], allowedActions: [] });
  expect((await set(0, { level: 10 })).body?.fault).toBe('THING_NONE');
  await publish(model());
  const next = await read(0);
  expect(next).toMatchObject({ version: 1, others: [], allowedActions: ['set', 'request', 'call'] });
  expect(next.properties[0]).toMatchObject({ id: 'level', value: 5, reported: true, reportedAt: expect.any(String), misfit: null });
});

test('a value is set, sent, answered and told, and is wanted until then', async () => {
  await say(1, 'property', { values: { level: 5 } });
  later(1);
  expect((await set(1, { level: 50 })).code).toBe(200);
  expect(await property(1)).toMatchObject({ value: 5, wanted: { value: 50, state: 'waiting', by: expect.any(String), misfit: null } });
  expect(await come(1)).toMatchObject([{ command: 'propertySet', params: { values: { level: 50 } } }]);
  expect((await property(1))?.wanted?.state).toBe('sent');
  const [command] = await commands(1);
  later(1);
  await say(1, 'reply', { to: command?.key, outcome: 'done' });
  expect(await property(1)).toMatchObject({ value: 5, wanted: { state: 'done' } });
  await say(1, 'property', { values: { level: 50 } });
  expect(await property(1)).toMatchObject({ value: 50, wanted: null });
});

test('each value is judged at its own field, in the person’s words', async () => {
  const values = { level: 7, heat: 20, colour: 'red', receipt: { lines: ['much too long'] } };
  expect(await wrongAt(set(1, values))).toEqual({
    'values.level': 'In steps of 5',
    'values.heat': 'This property is read only',
    'values.colour': 'Not in the thing model',
    'values.receipt.lines[0]': 'At most 5 characters',
  });
  expect(await wrongAt(set(1, {}))).toEqual({ values: 'Name at least one value' });
  const forged = JSON.parse('{"__proto__": {"level": 5}}') as Record<string, unknown>;
  for (const wrong of [forged, { '1st': 1 }, { level: Array.from({ length: 30 }).reduce((deep) => [deep], 1) }])
    expect((await set(1, wrong)).code).toBe(400);
  expect((await set(1, { level: 'x'.repeat(2_000_000) })).code).not.toBe(200);
});

test('of two who set at once the later one counts, and the earlier is taken back', async () => {
  const answers = await Promise.all([set(2, { level: 10 }), set(2, { level: 20 }, admin)]);
  expect(answers.map(({ code }) => code)).toEqual([200, 200]);
  await set(2, { level: 30 });
  const open = (await commands(2)).filter(({ state }) => state === 'waiting');
  expect(open).toHaveLength(1);
  expect((await property(2))?.wanted?.value).toBe(30);
  // One that sets something else besides stays.
  await set(2, { level: 35, receipt: { lines: [] } });
  await set(2, { level: 40 });
  expect((await commands(2)).filter(({ state }) => state === 'waiting')).toHaveLength(2);
});

test('a refusal says why, until the terminal tells its value again', async () => {
  await set(3, { level: 10 });
  await come(3);
  const [command] = await commands(3);
  later(1);
  await say(3, 'reply', { to: command?.key, outcome: 'failed', reason: 'busy', message: 'printing' });
  expect(await property(3)).toMatchObject({
    value: null,
    reported: false,
    wanted: { state: 'failed', reason: 'busy', message: 'printing' },
  });
  later(1);
  await say(3, 'property', { values: { level: 15 } });
  expect(await property(3)).toMatchObject({ value: 15, wanted: null });
});

test('it expires, or is withdrawn', async () => {
  await banker.call(deviceThingCalls.set, { id: idAt(4), values: { level: 10 }, hours: 1 });
  later(3601);
  await expireOld(app.context, app.clock.now);
  expect((await property(4))?.wanted?.state).toBe('expired');
  await set(4, { level: 20 });
  const wanted = (await property(4))?.wanted;
  await banker.call(deviceCalls.withdraw, { id: wanted?.commandId ?? 0 });
  expect((await property(4))?.wanted).toBe(null);
});

test('a service is called with what it takes; its answer is held against the model', async () => {
  const call = (input: object) => banker.send(deviceThingCalls.call, { id: idAt(5), service: 'print', input: input as never });
  expect(await wrongAt(call({ copies: 9 }))).toEqual({ 'input.copies': 'At most 3' });
  expect(await wrongAt(call({}))).toEqual({ 'input.copies': 'Required' });
  expect((await banker.send(deviceThingCalls.call, { id: idAt(5), service: 'fly' })).body?.fault).toBe('THING_SERVICE');
  for (const [output, misfits] of [
    [{ printed: true }, 0],
    [{ printed: 'yes' }, 1],
  ] as const) {
    expect((await call({ copies: 2 })).code).toBe(200);
    expect(await come(5)).toMatchObject([{ command: 'serviceCall', params: { service: 'print', input: { copies: 2 } } }]);
    const [command] = await commands(5);
    await say(5, 'reply', { to: command?.key, outcome: 'done', output });
    const [last] = (await read(5)).services[0]?.calls ?? [];
    expect(last).toMatchObject({ state: 'done', output, input: { copies: 2 } });
    expect(last?.misfits).toHaveLength(misfits);
  }
});

test('values are asked for, and an old terminal says that it doesn’t know the command', async () => {
  expect(await wrongAt(banker.send(deviceThingCalls.request, { id: idAt(5), names: ['colour'] }))).toEqual({
    'names.colour': 'Not in the thing model',
  });
  await banker.call(deviceThingCalls.request, { id: idAt(5), names: ['level'] });
  expect((await read(5)).asked?.state).toBe('waiting');
  expect(await come(5)).toMatchObject([{ command: 'propertyGet', params: { names: ['level'] } }]);
  const [command] = await commands(5);
  await say(5, 'reply', { to: command?.key, outcome: 'failed', reason: 'notSupported' });
  expect((await read(5)).asked).toMatchObject({ state: 'failed', reason: 'notSupported' });
  later(1);
  await say(5, 'property', { values: { level: 5 } });
  expect((await read(5)).asked).toBe(null);
  // The same is asked once, something else beside it; one that nobody answered says so.
  for (const names of [['level'], ['level', 'heat'], ['heat', 'level'], []])
    await banker.call(deviceThingCalls.request, { id: idAt(5), names, hours: 1 });
  const asked = (await commands(5)).filter(({ kind }) => kind === 'propertyGet').map(({ state }) => state);
  expect(asked.slice(0, 4)).toEqual(['waiting', 'waiting', 'withdrawn', 'waiting']);
  later(3601);
  await expireOld(app.context, app.clock.now);
  expect((await read(5)).asked?.state).toBe('expired');
});

test('an older set that is still open isn’t hidden by a newer one that came to nothing, nor by many that have ended', async () => {
  await set(9, { level: 10, receipt: { lines: [] } });
  await set(9, { level: 20 });
  await banker.call(deviceCalls.withdraw, { id: (await commands(9))[0]?.id ?? 0 });
  expect((await property(9))?.wanted).toMatchObject({ value: 10, state: 'waiting' });
  await app.context.unscoped((db) =>
    sql`insert into gateway_outbox (key, device_id, sn, dept_path, topic, kind, data, state, attempts, next_at, expires_at)
      select 'ended-' || n, o.device_id, o.sn, o.dept_path, o.topic, o.kind, o.data, 'withdrawn', 0, now(), now() from gateway_outbox o, generate_series(1, 60) n
      where o.device_id = ${idAt(9)} and o.state = 'waiting'`.execute(db),
  );
  expect((await property(9))?.wanted).toMatchObject({ value: 10, state: 'waiting' });
});

test('what a terminal tells before a set has expired doesn’t hide that it has', async () => {
  await banker.call(deviceThingCalls.set, { id: idAt(10), values: { level: 10 }, hours: 1 });
  await come(10);
  later(60);
  await say(10, 'property', { values: { level: 5 } });
  later(3600);
  await expireOld(app.context, app.clock.now);
  expect((await property(10))?.wanted).toMatchObject({ state: 'expired', value: 10 });
  await say(10, 'property', { values: { level: 5 } });
  expect((await property(10))?.wanted).toBe(null);
});

test('a set that was sent before the model changed: what the terminal tells is an answer, and that it did it is said', async () => {
  for (const index of [11, 12]) {
    await set(index, { level: 95 });
    await come(index);
    later(1);
  }
  await publish(model(50));
  for (const index of [11, 12]) {
    await come(index);
    expect((await property(index))?.wanted).toMatchObject({ state: 'failed', reason: 'modelChanged' });
  }
  await say(11, 'property', { values: { level: 95 } });
  expect((await property(11))?.wanted).toBe(null);
  const [command] = await commands(12);
  await say(12, 'reply', { to: command?.key, outcome: 'done' });
  expect((await property(12))?.wanted).toMatchObject({ state: 'failed', reason: 'doneLate' });
  await publish(model());
});

test('a set of several of which one no longer fits says so at each of them', async () => {
  await set(13, { level: 95, receipt: { lines: [] } });
  await publish(model(50));
  expect((await property(13, 'receipt'))?.wanted?.misfit).toMatchObject({ problem: 'max', at: 'level' });
  expect((await property(13))?.wanted?.misfit).toMatchObject({ problem: 'max', at: 'level' });
  await publish(model());
});

test('the last answers of a service stay, however often another one was called', async () => {
  const { services, ...rest } = model();
  await publish({ ...rest, services: [...services, { id: 'beep', name: 'Beep', sync: false, input: [], output: [] }] });
  await banker.call(deviceThingCalls.call, { id: idAt(14), service: 'print', input: { copies: 1 } });
  for (let n = 0; n < 25; n += 1) await banker.call(deviceThingCalls.call, { id: idAt(14), service: 'beep' });
  await app.context.unscoped((db) => sql`update gateway_outbox set state = 'done' where device_id = ${idAt(14)}`.execute(db));
  expect((await read(14)).services.map(({ id, calls }) => [id, calls.length])).toEqual([
    ['print', 1],
    ['beep', 10],
  ]);
  await publish(model());
});

test('open pages hear of what changes what can be asked of a terminal, and of what goes out', async () => {
  const touched = async (act: () => Promise<unknown>) => {
    await app.context.unscoped((db) => sql`delete from live_touch`.execute(db));
    await act();
    const { rows } = await app.context.unscoped((db) =>
      sql<{ call_group: string }>`select distinct call_group from live_touch`.execute(db),
    );
    return rows.map((row) => row.call_group);
  };
  const of = { ids: [idAt(15)] };
  await set(15, { level: 5 });
  const acts = [
    () => come(15),
    () => banker.call(deviceCalls.disable, { of }),
    () => banker.call(deviceCalls.enable, { of }),
    () => banker.call(deviceCalls.disable, { of }),
    () => banker.call(deviceCalls.delete, { of }),
    () => banker.call(deviceCalls.restore, { id: idAt(15) }),
  ];
  for (const [at, act] of acts.entries()) expect(await touched(act), `${at}`).toContain('/device/model');
});

test('events that the model names, newest first, a page at a time', async () => {
  for (const name of ['paperOut', 'tamper', 'paperOut', 'paperOut']) {
    later(1);
    await say(6, 'event', { name, level: 'warning', params: { at: name === 'tamper' ? 1 : '2026-11-26T10:00:00Z' } });
  }
  await say(6, 'event', { name: 'paperOut', level: 'alarm', params: { at: 'never' } });
  const first = await banker.call(deviceThingCalls.events, { id: idAt(6), size: 3 });
  expect(first.content.map(({ name, misfits }) => [name, misfits.length])).toEqual([
    ['paperOut', 1],
    ['paperOut', 0],
    ['paperOut', 0],
  ]);
  const second = await banker.call(deviceThingCalls.events, { id: idAt(6), size: 3, before: first.next ?? '' });
  expect(second).toMatchObject({ content: [{ name: 'paperOut' }], next: null });
  for (const before of ['2024-02-30 00:00:00.000000+00/1', '0000-01-01 00:00:00.000000+00/1'])
    expect((await banker.send(deviceCalls.timeline, { id: idAt(6), before })).code, before).toBe(400);
  for (const before of [
    'x',
    '2026-99-99 00:00:00.000000+00/1',
    '2024-02-30 00:00:00.000000+00/1',
    '0000-01-01 00:00:00.000000+00/1',
    '2026-11-26 00:00:00.000000+00/99999999999999999999',
  ])
    expect((await banker.send(deviceThingCalls.events, { id: idAt(6), before })).code).toBe(400);
});

test('a model that changes under a living fleet: values and waiting sets that no longer fit say so, and aren’t sent', async () => {
  await say(7, 'property', { values: { level: 90 } });
  await set(7, { level: 95 });
  await publish(model(50));
  expect(await property(7)).toMatchObject({
    misfit: { problem: 'max', limit: 50 },
    wanted: { state: 'waiting', misfit: { problem: 'max' } },
  });
  expect(await come(7)).toEqual([]);
  expect((await commands(7))[0]).toMatchObject({ state: 'failed', reason: 'modelChanged' });
  await say(7, 'property', { values: { level: 90 } });
  expect((await property(7))?.wanted).toMatchObject({ state: 'failed', reason: 'modelChanged' });
  expect(await wrongAt(set(7, { level: 95 }))).toEqual({ 'values.level': 'At most 50' });
  await set(7, { level: 45 });
  expect(await come(7)).toMatchObject([{ command: 'propertySet' }]);
  const { properties, ...rest } = model(50);
  await publish({ ...rest, properties: properties.filter((one) => one.id !== 'level') });
  expect(await read(7)).toMatchObject({ others: [{ id: 'level', value: 90 }] });
  await publish(model());
});

test('many of one product are set at once; others, and disabled ones, are refused', async () => {
  const [other = 0] = await makeDevices(app, bank, await makeProduct(app, app.root), ['THING-OTHER']);
  await banker.call(deviceCalls.disable, { of: { ids: [idAt(8)] } });
  expect((await set(8, { level: 5 })).body?.fault).toBe('DEVICE_STATE');
  const of = { ids: [idAt(0), idAt(8), other] };
  const input = { of, productId, values: { level: 25 } };
  expect(await banker.call(deviceThingCalls.setMany, { ...input, preview: true })).toMatchObject({ total: 3, refused: 2 });
  expect(await wrongAt(banker.send(deviceThingCalls.setMany, { ...input, values: { level: 1 } }))).toEqual({
    'values.level': 'In steps of 5',
  });
  expect(await banker.call(deviceThingCalls.setMany, input)).toMatchObject({ done: 1, refused: 2 });
  expect((await property(0))?.wanted?.value).toBe(25);
});

test('nobody reads, sets or calls another organisation’s terminal', async () => {
  expect((await foreigner.send(deviceThingCalls.read, { id: idAt(0) })).code).toBe(404);
  expect((await set(0, { level: 5 }, foreigner)).code).toBe(404);
  expect((await foreigner.send(deviceThingCalls.request, { id: idAt(0) })).code).toBe(404);
  expect((await foreigner.send(deviceThingCalls.call, { id: idAt(0), service: 'print', input: { copies: 1 } })).code).toBe(404);
  expect((await foreigner.send(deviceThingCalls.events, { id: idAt(0) })).code).toBe(404);
});
