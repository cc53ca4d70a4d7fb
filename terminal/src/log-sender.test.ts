import { LOG_TAG_MOST } from '@mooring/contract/device/log/log-lines';
import { expect, test } from 'vitest';
import { memoryJournal } from './journal.ts';
import { makeLogSender } from './log-sender.ts';
import { makeRunLog } from './run-log.ts';

const settled = () => new Promise((resolve) => setImmediate(resolve));

test('a log that is asked for goes piece after piece, without a word in the journal', async () => {
  let saves = 0;
  const journal = memoryJournal('1.0', () => {
    saves += 1;
  });
  const told: { lines: number; arrived: () => void }[] = [];
  const logs = makeLogSender(
    makeRunLog(),
    journal,
    () => expect.unreachable(),
    (data) => new Promise((arrived) => told.push({ lines: data.lines?.length ?? 0, arrived })),
  );
  let done = false;
  const lines = Array.from({ length: 30 }, () => ({ level: 'info' as const, tag: '', text: 'x'.repeat(9000) }));
  const answered = logs.answer('c-1', lines).then(() => {
    done = true;
  });
  for (let piece = 0; !done && piece < 30; piece += 1) {
    expect(told).toHaveLength(piece + 1);
    await settled();
    expect(told).toHaveLength(piece + 1);
    told[piece]?.arrived();
    await settled();
  }
  await answered;
  expect(told.reduce((sum, one) => sum + one.lines, 0)).toBe(30);
  expect(told.length).toBeGreaterThan(3);
  expect([saves, journal.unsent.size]).toEqual([0, 0]);
});

test('a tag that is as long as a message is cut', async () => {
  const tags: string[] = [];
  const logs = makeLogSender(
    makeRunLog(),
    memoryJournal('1.0'),
    () => expect.unreachable(),
    async (data) => {
      tags.push(...(data.lines ?? []).map((line) => line.tag));
    },
  );
  await logs.answer('c-1', [{ level: 'warn', tag: 't'.repeat(100_000), text: '' }]);
  expect(tags).toEqual(['t'.repeat(LOG_TAG_MOST)]);
});
