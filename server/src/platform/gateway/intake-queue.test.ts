import { afterEach, expect, test, vi } from 'vitest';
import { intakeQueue, laneOf } from './intake-queue.ts';
import { latestValueBuffer } from './latest-value-buffer.ts';

afterEach(() => void vi.useRealTimers());

const gate = () => {
  let open = () => {};
  const passed = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { open, passed };
};

const none = { from: Number.POSITIVE_INFINITY, waitMs: 0 };

test('a full queue holds the sender back until there is room', async () => {
  const { open, passed } = gate();
  const seen: number[] = [];
  const queue = intakeQueue<number>({
    limit: 3,
    batch: 2,
    lanes: 1,
    crowd: none,
    async work(batch) {
      await passed;
      seen.push(...batch);
    },
  });
  expect(queue.push(1)).toBeUndefined();
  expect(queue.push(2)).toBeUndefined();
  const held = queue.push(3);
  expect(held).toBeInstanceOf(Promise);
  open();
  await held;
  await queue.stop();
  expect(seen).toEqual([1, 2, 3].slice(0, seen.length));
  expect(seen.length).toBeGreaterThanOrEqual(2);
});

test('no more batches run at once than there are lanes', async () => {
  const { open, passed } = gate();
  let running = 0;
  let most = 0;
  const queue = intakeQueue<number>({
    limit: 100,
    batch: 1,
    lanes: 2,
    crowd: none,
    async work() {
      running += 1;
      most = Math.max(most, running);
      await passed;
      running -= 1;
    },
  });
  for (let at = 0; at < 10; at += 1) void queue.push(at);
  await new Promise((resolve) => setImmediate(() => setImmediate(resolve)));
  open();
  await queue.stop();
  expect(most).toBe(2);
});

test('in a crowd the next batch waits a moment for company; who comes alone waits for nobody', async () => {
  vi.useFakeTimers();
  const batches: number[] = [];
  const queue = intakeQueue<number>({
    limit: 100,
    batch: 10,
    lanes: 1,
    crowd: { from: 3, waitMs: 10 },
    async work(batch) {
      batches.push(batch.length);
    },
  });
  const add = async (count: number, thenMs: number) => {
    for (let n = 0; n < count; n += 1) void queue.push(n);
    await vi.advanceTimersByTimeAsync(thenMs);
    return [...batches];
  };
  expect(await add(1, 1)).toEqual([1]);
  expect(await add(3, 1)).toEqual([1, 3]);
  expect(await add(1, 5)).toEqual([1, 3]);
  expect(await add(1, 6)).toEqual([1, 3, 2]);
  expect(await add(1, 1)).toEqual([1, 3, 2, 1]);
  await queue.stop();
});

const at = new Date('2026-11-22T10:00:00Z');
/** A board of bare JSON; what isn't any is refused. */
const bufferOf = (refused: string[] = []) =>
  latestValueBuffer((sn, payload) => {
    const text = payload.toString();
    if (!text.startsWith('{')) return void refused.push(`${sn} ${text}`);
    return { sn, kind: 'beat', id: 'x', at, receivedAt: at, data: JSON.parse(text) };
  });
const publish = (buffer: ReturnType<typeof bufferOf>, sn: string, text: string) => buffer.add(sn, Buffer.from(text), at);

test('of beats the newest value of each field stays', () => {
  const buffer = bufferOf();
  publish(buffer, 'B', '{"battery":50,"temperature":30}');
  publish(buffer, 'A', '{"battery":10,"network":"Zürich 网"}');
  publish(buffer, 'B', '{"battery":49}');
  expect([...buffer.drain(10)].map((batch) => batch.map((one) => [one.sn, one.data]))).toEqual([
    [
      ['B', { battery: 49, temperature: 30 }],
      ['A', { battery: 10, network: 'Zürich 网' }],
    ],
  ]);
  expect(buffer.size()).toBe(0);
});

test('beats are read when their batch is due; a terminal that speaks on and on is read meanwhile, and nothing of it is lost', () => {
  const refused: string[] = [];
  const buffer = bufferOf(refused);
  for (let n = 1; n <= 30; n += 1) publish(buffer, 'A', `{"uptime":${n},"f${n}":1}`);
  for (const sn of ['B', 'C', 'D']) publish(buffer, sn, '{"battery":1}');
  publish(buffer, 'C', 'broken');
  expect(refused).toEqual([]);
  const batches = [...buffer.drain(2)];
  expect(batches.map((batch) => batch.map((one) => one.sn))).toEqual([
    ['A', 'B'],
    ['C', 'D'],
  ]);
  expect(batches[0]?.[0]?.data).toMatchObject({ uptime: 30, f1: 1, f30: 1 });
  expect(refused).toEqual(['C broken']);
});

test('a long beat is read at once: what waits is small', () => {
  const refused: string[] = [];
  const buffer = bufferOf(refused);
  publish(buffer, 'A', 'x'.repeat(1025));
  expect(refused).toHaveLength(1);
});

test('who says nothing that can be read has no entry, and is refused', () => {
  const refused: string[] = [];
  const buffer = bufferOf(refused);
  publish(buffer, 'A', 'broken');
  publish(buffer, 'B', '');
  expect([...buffer.drain(2)]).toEqual([]);
  expect(refused.sort()).toEqual(['A broken', 'B ']);
});

test('a name has always the same lane, and names are spread over all', () => {
  const names = Array.from({ length: 100 }, (_, n) => `B${String(n).padStart(10, '0')}`);
  expect(names.map((name) => laneOf(name, 2))).toEqual(names.map((name) => laneOf(name, 2)));
  const first = names.filter((name) => laneOf(name, 2) === 0).length;
  expect(first).toBeGreaterThan(30);
  expect(first).toBeLessThan(70);
});
