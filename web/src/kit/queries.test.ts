import { call, calls } from '@mooring/contract/kit/call';
import { BulkOutcome } from '@mooring/contract/kit/page';
import { afterEach, expect, it, vi } from 'vitest';

vi.stubGlobal('document', { querySelector: () => null, addEventListener: () => {}, hidden: false });
const { change } = await import('./queries.ts');

const made = calls('test', '/test', { disable: call({ can: 'session', output: BulkOutcome }) });
const answering = (body: unknown) => vi.stubGlobal('fetch', async () => Response.json({ code: 200, body, message: '' }));
afterEach(() => vi.unstubAllGlobals());

const none = { total: 1, done: 0, refused: 1, failed: [{ id: 1, label: 'A', fault: 'NEEDS' }], work: null };

it('a change that changed nothing is thrown, whoever made it', async () => {
  answering(none);
  await expect(change(made.disable, {}, { hidden: true })).rejects.toMatchObject({ isCallError: true, code: 400, fault: 'NEEDS' });
  answering({ changed: 0 });
  await expect(change(made.disable, {})).rejects.toMatchObject({ isCallError: true, code: 400 });
});

it('who shows each refused row gets them; where nothing was there to refuse it is thrown all the same', async () => {
  answering(none);
  expect(await change(made.disable, {}, { hidden: true, showsRefused: true })).toEqual(none);
  answering({ ...none, total: 0, refused: 0, failed: [] });
  await expect(change(made.disable, {}, { hidden: true, showsRefused: true })).rejects.toMatchObject({ isCallError: true });
});

it('a change that did something is its answer', async () => {
  answering({ ...none, total: 2, done: 1 });
  expect(await change(made.disable, {})).toMatchObject({ done: 1 });
});
