import { expect, it } from 'vitest';
import { callError, handlingOf, reactionTo, readEnvelope } from './outcome.ts';

it.each([
  [{ code: 200, body: 1 }, 1],
  [{ code: 0, body: 'a' }, 'a'],
  [{ body: [] }, []],
  [{ code: '200' }, null],
])('%j is success', (envelope, body) => expect(readEnvelope(envelope)).toEqual({ body }));

it('keeps everything that a failure tells', () => {
  const read = readEnvelope(
    { code: 400, message: 'No', body: { fault: 'BAD_INPUT', fields: { name: { key: 'k', message: 'm' } }, wait: 3 } },
    'r1',
  );
  expect(read).toMatchObject({
    error: { code: 400, message: 'No', fault: 'BAD_INPUT', fields: { name: { message: 'm' } }, wait: 3, requestId: 'r1' },
  });
});

it.each([
  ['400 warns', callError({ code: 400, message: 'x' }), 'full', false, { notice: { kind: 'warning', message: 'x' }, logOut: false }],
  [
    '401 warns and logs out, hidden or not',
    callError({ code: 401 }),
    'full',
    true,
    { notice: { kind: 'warning', message: '' }, logOut: true },
  ],
  [
    'any other is an error',
    callError({ code: 409, message: 'y' }),
    'full',
    false,
    { notice: { kind: 'error', message: 'y' }, logOut: false },
  ],
  ['hidden shows nothing', callError({ code: 409 }), 'full', true, { notice: undefined, logOut: false }],
  ['login and files show nothing themselves', callError({ code: 401 }), 'raw', false, { notice: undefined, logOut: false }],
  ['config calls are silent', callError({ code: 500 }), 'quiet', false, { notice: undefined, logOut: false }],
  ['cancelled shows nothing', callError({ cancelled: true }), 'full', false, { notice: undefined, logOut: false }],
  [
    'no answer is an error with the generic text',
    callError({ transport: true }),
    'full',
    false,
    { notice: { kind: 'error', message: '' }, logOut: false },
  ],
] as const)('%s', (_name, error, handling, hidden, reaction) => expect(reactionTo(error, handling, hidden)).toEqual(reaction));

it.each([
  ['/sys/login/account', 'json', 'raw'],
  ['/file/uploadPart', 'multipart', 'raw'],
  ['/file/transferCheck', 'json', 'raw'],
  ['/file/delete', 'json', 'full'],
  ['/file/getSecurityToken', 'json', 'full'],
  ['/device/export', 'binary', 'raw'],
  ['/home/getProjectConfig', 'json', 'quiet'],
  ['/sys/menus/counts', 'json', 'quiet'],
  ['/device/page', 'json', 'full'],
] as const)('%s is %s and handled %s', (path, wire, handling) => expect(handlingOf({ path, wire })).toBe(handling));
