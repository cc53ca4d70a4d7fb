import { call, calls } from '@mooring/contract/kit/call';
import { BulkOutcome, pageOf } from '@mooring/contract/kit/page';
import { QueryObserver } from '@tanstack/react-query';
import { afterEach, expect, it, vi } from 'vitest';
import { z } from 'zod';

vi.stubGlobal('document', { querySelector: () => null, addEventListener: () => {}, hidden: false });
const { change, queryClient, touched } = await import('./queries.ts');
const { takesText } = await import('./takes-text.ts');

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

/** Something that a page shows, of which each answer is given by hand. */
function shown(key: string) {
  const answers: ((value: string) => void)[] = [];
  const queryFn = ({ signal }: { signal: AbortSignal }) =>
    new Promise<string>((resolve, reject) => {
      signal.addEventListener('abort', () => reject(new Error('broken off')));
      answers.push(resolve);
    });
  const observer = new QueryObserver(queryClient, { queryKey: [key], queryFn });
  const leave = observer.subscribe(() => {});
  const asked = (times: number) => vi.waitFor(() => expect(answers).toHaveLength(times));
  const says = (value: string) => vi.waitFor(() => expect(observer.getCurrentResult()).toMatchObject({ data: value, fetchStatus: 'idle' }));
  return { answers, leave, asked, says };
}

it('what is touched while its first answer is on its way is asked for once more', async () => {
  const { answers, leave, asked, says } = shown('/first');
  await asked(1);
  touched({ queryKey: ['/first'] });
  touched({ queryKey: ['/first'] });
  answers[0]?.('before');
  await asked(2);
  answers[1]?.('after');
  await says('after');
  expect(answers).toHaveLength(2);
  leave();
});

it('touches that come faster than answers break none off', async () => {
  const { answers, leave, asked, says } = shown('/busy');
  await asked(1);
  answers[0]?.('one');
  await says('one');
  touched({ queryKey: ['/busy'] });
  await asked(2);
  touched({ queryKey: ['/busy'] });
  answers[1]?.('two');
  await asked(3);
  expect(queryClient.getQueryData(['/busy'])).toBe('two');
  touched({ queryKey: ['/busy'] });
  answers[2]?.('three');
  await asked(4);
  expect(queryClient.getQueryData(['/busy'])).toBe('three');
  answers[3]?.('four');
  await says('four');
  expect(answers).toHaveLength(4);
  leave();
});

it('what a change answered is shown where that row is on screen, before it is fetched anew', async () => {
  const row = z.object({ id: z.number(), revision: z.number(), name: z.string() });
  const { detail, page, edit } = calls('test', '/boat', {
    detail: call({ can: 'session', reads: true, output: row }),
    page: call({ can: 'session', reads: true, output: pageOf(row) }),
    edit: call({ can: 'session', output: row }),
  });
  const leaves: (() => void)[] = [];
  const open = (id: number) => {
    const queryKey = [detail.group, detail.name, 'centre:undefined', { id }];
    queryClient.setQueryData(queryKey, { id, revision: 2, name: 'before' });
    const queryFn = () => new Promise(() => {});
    leaves.push(new QueryObserver(queryClient, { queryKey, queryFn, meta: { output: detail.output } }).subscribe(() => {}));
    return () => queryClient.getQueryData(queryKey);
  };
  const [one, other] = [open(1), open(2)];
  const list = [page.group, page.name, 'centre:undefined', {}];
  queryClient.setQueryDefaults(list, { meta: { output: page.output } });
  queryClient.setQueryData(list, { content: [one(), other()], total: 2 });
  answering({ id: 1, revision: 1, name: 'older' });
  await change(edit, { id: 1 });
  expect(one()).toMatchObject({ name: 'before' });
  answering({ id: 1, revision: 3, name: 'after' });
  await change(edit, { id: 1 });
  expect([one(), other()]).toEqual([
    { id: 1, revision: 3, name: 'after' },
    { id: 2, revision: 2, name: 'before' },
  ]);
  expect(queryClient.getQueryData(list)).toEqual({ content: [one(), other()], total: 2 });
  for (const leave of leaves) leave();
});

it('choices that no text changes are narrowed where they are shown', () => {
  expect([takesText(() => []), takesText((_text: string) => [])]).toEqual([false, true]);
});
