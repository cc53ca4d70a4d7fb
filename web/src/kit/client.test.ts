import { call, calls } from '@mooring/contract/kit/call';
import { afterEach, expect, it, vi } from 'vitest';
import { z } from 'zod';

vi.stubGlobal('document', { querySelector: () => null, addEventListener: () => {}, hidden: false });
const { addressOf, api, headersOf, network, onProofAsked, sendProven } = await import('./client.ts');
const { addError, ERROR_CAP } = await import('./error-log.ts');
const { fileNameOf } = await import('./downloads.ts');
const { backOff } = await import('./live.ts');
const { callError } = await import('./outcome.ts');
const { onSessionEnded } = await import('./session.ts');
const { speech } = await import('../ui/words.ts');

const made = calls('test', '/test', {
  page: call({ can: 'session', reads: true, output: z.number() }),
  find: call({
    can: 'public',
    reads: true,
    method: 'GET',
    path: '/test/{id}/find',
    input: z.strictObject({ id: z.string(), text: z.string().optional() }),
  }),
});
const answering = (envelope: unknown, status = 200) =>
  vi.stubGlobal(
    'fetch',
    vi.fn(
      async () =>
        new Response(typeof envelope === 'string' ? envelope : JSON.stringify(envelope), { status, headers: { 'x-request-id': 'r7' } }),
    ),
  );
afterEach(() => vi.unstubAllGlobals());

it('asks who one is for a download too, and sends it once more', async () => {
  const { bytes } = calls('test', '/test', { bytes: call({ can: 'session', wire: 'binary', stepUp: true, output: z.unknown() }) });
  const refusal = () =>
    new Response(JSON.stringify({ code: 403, body: { fault: 'STEP_UP_REQUIRED' } }), { headers: { 'content-type': 'application/json' } });
  const file = () => new Response('key', { headers: { 'content-type': 'application/x-pkcs12' } });
  const asked = vi.fn(async () => true);
  onProofAsked(asked);
  vi.stubGlobal('fetch', vi.fn().mockResolvedValueOnce(refusal()).mockResolvedValueOnce(file()));
  expect(await (await sendProven(bytes, {})).text()).toBe('key');
  expect(asked).toHaveBeenCalledOnce();
  onProofAsked(async () => false);
  vi.stubGlobal(
    'fetch',
    vi.fn(async () => refusal()),
  );
  expect(await (await sendProven(bytes, {})).json()).toMatchObject({ code: 403 });
});

it('fills in paths and asks with GET', () => {
  expect(addressOf(made.find, { id: 'a/b', text: 'x y' })).toBe('/ops/test/a%2Fb/find?text=x+y');
  expect(addressOf(made.page, {})).toBe('/ops/test/page');
});

it('sends the headers of every call', () => {
  // Files share what they read in: another one may have spoken another language.
  speech.set((now) => ({ ...now, lang: 'zh-CN' }));
  expect(headersOf({ platform: 'manager', deptId: 7 })).toMatchObject({
    ProductLineId: '2',
    'Accept-Platform': 'manager',
    'Accept-Deptid': '7',
    'Accept-Language': 'zh-CN',
  });
});

it('acts for one’s own organisation until one is known, on either platform', () => {
  for (const platform of ['centre', 'manager'] as const) expect(headersOf({ platform })).not.toHaveProperty('Accept-Deptid');
});

it('opens the envelope', async () => {
  answering({ code: 200, body: 5 });
  expect(await api(made.page, {})).toBe(5);
});

it('throws what went wrong, with the request’s number and the wait', async () => {
  answering({ code: 429, message: 'Slow down', body: { fault: 'TOO_MANY', wait: 3 } }, 429);
  await expect(api(made.page, {}, { hidden: true })).rejects.toMatchObject({
    code: 429,
    fault: 'TOO_MANY',
    wait: 3,
    requestId: 'r7',
    message: 'Slow down',
  });
  answering('<html>bad gateway</html>', 502);
  await expect(api(made.page, {}, { hidden: true })).rejects.toMatchObject({ code: 502, transport: true });
});

it('logs out on 401, hidden or not', async () => {
  const ended = vi.fn();
  onSessionEnded(ended);
  answering({ code: 401, message: '' });
  await expect(api(made.page, {}, { hidden: true })).rejects.toMatchObject({ code: 401 });
  expect(ended).toHaveBeenCalledOnce();
});

it('a cancelled call is cancelled and nothing else', async () => {
  const stop = new AbortController();
  stop.abort();
  vi.stubGlobal('fetch', async () => Promise.reject(new Error('aborted')));
  await expect(api(made.page, {}, { signal: stop.signal })).rejects.toMatchObject({ cancelled: true });
});

it('sends through what it is given, whose own failure is not the network’s', async () => {
  const via = vi.fn(async () => new Response(JSON.stringify({ body: 6 })));
  expect(await api(made.page, {}, { via })).toBe(6);
  expect(via).toHaveBeenCalledWith('/ops/test/page', expect.objectContaining({ method: 'POST', headers: expect.anything() }));
  const failing = (error: unknown) => api(made.page, {}, { hidden: true, via: () => Promise.reject(error) });
  await expect(failing(callError({ code: 400 }))).rejects.toMatchObject({ code: 400, transport: false });
  expect(network.get().failures).toBe(0);
  await expect(failing(new Error('no answer'))).rejects.toMatchObject({ transport: true });
  expect(network.get().failures).toBe(1);
});

it('keeps the newest 50 errors', () => {
  const log = Array.from({ length: 60 }, (_, at) => at).reduce<Parameters<typeof addError>[0]>(
    (now, at) => addError(now, { at: '', kind: 'error', text: String(at), where: '' }),
    [],
  );
  expect([log.length, log[0]?.text]).toEqual([ERROR_CAP, '59']);
});

it.each([
  ["attachment; filename*=UTF-8''%E8%AE%BE%E5%A4%87.csv", '设备.csv'],
  ['attachment; filename="a b.csv"', 'a b.csv'],
  ["attachment; filename*=UTF-8''%ZZ", 'x'],
  [null, 'x'],
])('name of a download: %s', (head, name) => expect(fileNameOf(head, 'x')).toBe(name));

it('comes back slower each time, and never all at once', () => {
  expect([backOff(0, 0), backOff(0, 1), backOff(3, 0.5), backOff(20, 0.5)]).toEqual([500, 1500, 8000, 30_000]);
});
