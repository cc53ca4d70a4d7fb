import { expect, test } from 'vitest';
import { aside, makeTurns } from './turns.ts';

const gate = () => Promise.withResolvers<void>();
const settled = async () => {
  for (let at = 0; at < 10; at += 1) await Promise.resolve();
};

test('one works at a time, in the order in which they came, and who waits lets the next ones pass', async () => {
  const turns = makeTurns();
  const done: string[] = [];
  const [window, download] = [gate(), gate()];
  const firmware = turns.take('firmware').then(async (turn) => {
    done.push('firmware waits');
    await turn.aside(() => window.promise);
    done.push('firmware installs');
    turn.end();
  });
  const settings = turns.take('settings').then(async (turn) => {
    done.push('settings begin');
    await download.promise;
    done.push('settings done');
    turn.end();
  });
  await settled();
  expect(done).toEqual(['firmware waits', 'settings begin']);
  // Its window opens while another one works.
  window.resolve();
  await settled();
  expect(done).toHaveLength(2);
  download.resolve();
  await Promise.all([firmware, settings]);
  expect(done.slice(2)).toEqual(['settings done', 'firmware installs']);
  expect([turns.inLine(), turns.count()]).toEqual([[], 0]);
});

test('what is given up while it waits goes on in its turn, and holds up nobody', async () => {
  const turns = makeTurns();
  const given = gate();
  const first = turns.take('first').then((turn) => turn.aside(() => given.promise).finally(() => turn.end()));
  const second = await turns.take('second');
  given.reject(new Error('aborted'));
  const third = turns.take('third');
  expect(turns.inLine()).toEqual(['third']);
  second.end();
  (await third).end();
  await expect(first).rejects.toThrow('aborted');
  expect(turns.inLine()).toEqual([]);
});

test('what is given up while it stands in line again doesn’t go on', async () => {
  const turns = makeTurns();
  const [window, work] = [gate(), new AbortController()];
  const firmware = await turns.take('firmware');
  const waited = aside(firmware, work.signal)(() => window.promise);
  const settings = await turns.take('settings');
  window.resolve();
  await settled();
  work.abort(new Error('cancelled'));
  settings.end();
  await expect(waited).rejects.toThrow('cancelled');
  firmware.end();
});
