import { afterEach, expect, test, vi } from 'vitest';
import { Ended, Lifetime } from './lifetime.ts';

afterEach(() => void vi.useRealTimers());

test('ends in the reverse order, and once', async () => {
  const said: string[] = [];
  const life = new Lifetime();
  expect(
    await life.begin(
      () => 'folder',
      (made) => void said.push(made),
    ),
  ).toBe('folder');
  await life.begin(
    async () => 'database',
    async (made) => void said.push(made),
  );
  await life.begin(() => 'migrations');
  await Promise.all([life.end(), life.end()]);
  expect(said).toEqual(['database', 'folder']);
});

test('a step that is under way is finished and then ended; no further one begins', async () => {
  const said: string[] = [];
  const life = new Lifetime();
  const { promise: answered, resolve: answer } = Promise.withResolvers<string>();
  const step = life.begin(
    () => answered,
    (made) => void said.push(made),
  );
  const ended = life.end().then(() => said.push('ended'));
  answer('database');
  await Promise.all([step, ended]);
  expect(said).toEqual(['database', 'ended']);
  await expect(life.begin(() => said.push('late'))).rejects.toBeInstanceOf(Ended);
  expect(said).not.toContain('late');
});

test('a step that fails leaves nothing to end, and its fault to who began it', async () => {
  const said: string[] = [];
  const life = new Lifetime();
  await life.begin(
    () => 'folder',
    (made) => void said.push(made),
  );
  await expect(life.begin(() => Promise.reject(new Error('no room')))).rejects.toThrow('no room');
  await life.end();
  expect(said).toEqual(['folder']);
});

test('an end that fails is told after all had their turn', async () => {
  const said: string[] = [];
  const life = new Lifetime();
  await life.begin(
    () => 'folder',
    (made) => void said.push(made),
  );
  await life.begin(
    () => 'database',
    () => Promise.reject(new Error('stuck')),
  );
  await expect(life.end()).rejects.toThrow('stuck');
  expect(said).toEqual(['folder']);
});

test('a step that never comes to its end is waited for ten seconds', async () => {
  vi.useFakeTimers();
  const said: string[] = [];
  const life = new Lifetime();
  await life.begin(
    () => 'database',
    (made) => void said.push(made),
  );
  void life.begin(() => new Promise(() => {}));
  const ended = life.end().then(() => said.push('ended'));
  await vi.advanceTimersByTimeAsync(9000);
  expect(said).toEqual([]);
  await vi.advanceTimersByTimeAsync(1000);
  await ended;
  expect(said).toEqual(['database', 'ended']);
});

test('an end that never comes, as of a service whose database is gone, keeps no other from its turn', async () => {
  vi.useFakeTimers();
  const said: string[] = [];
  const life = new Lifetime();
  await life.begin(
    () => 'folder',
    (made) => void said.push(made),
  );
  await life.begin(
    () => 'service',
    () => new Promise<void>(() => {}),
  );
  const ended = expect(life.end()).rejects.toThrow('not ended after 30 s');
  await vi.advanceTimersByTimeAsync(30_000);
  await ended;
  expect(said).toEqual(['folder']);
});
