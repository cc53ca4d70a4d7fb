import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type Forwarded, framed, messageOf, testMessage } from './format.ts';

const head = { facility: 13, host: 'tms.example.com' };
const entry: Forwarded = {
  id: 7,
  at: new Date('2026-11-23T10:00:00.123Z'),
  sealNo: 9,
  requestId: 'refused',
  actorId: null,
  actor: '',
  dept: '1.2.',
  platform: 'manager',
  ip: '192.0.2.7',
  call: '/sys/login',
  target: 'anna "the \\ admin]',
  result: 'LOGIN_REFUSED',
  count: 3,
  device: 'curl/8',
};

test('an entry is one message of RFC 5424', () => {
  expect(messageOf(head, entry)).toBe(
    '<108>1 2026-11-23T10:00:00.123Z tms.example.com mooring - audit [mooring@32473 id="7" sealNo="9" requestId="refused" dept="1.2." platform="manager" ip="192.0.2.7" target="anna \\"the \\\\ admin\\]" count="3" device="curl/8" call="/sys/login" result="LOGIN_REFUSED"] /sys/login LOGIN_REFUSED',
  );
  expect(messageOf({ ...head, facility: 4 }, { ...entry, result: 'done' })).toMatch(/^<37>1 /);
  expect(testMessage({ facility: 1, host: 'ü ' }, entry.at)).toBe(
    '<13>1 2026-11-23T10:00:00.123Z - mooring - test - Test message of Mooring',
  );
});

test('bytes are counted, not characters', () => {
  expect(framed('é')).toBe('2 é');
});

test('whatever an entry says, it stays within its message and its quotes', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 600 }), fc.string({ unit: 'binary' }), (target, actor) => {
      const message = messageOf(head, { ...entry, target, actor });
      expect(Buffer.byteLength(message)).toBeLessThan(8000);
      // biome-ignore lint/suspicious/noControlCharactersInRegex: none may be there.
      expect(message).not.toMatch(/[\u0000-\u001f]/);
      const rest = message.slice(message.indexOf('[')).replace(/\\["\\\]]/g, '');
      expect(rest).toMatch(/^\[mooring@32473( \w+="[^"\]\\]*")*\] [\x21-\x7e]+ [\x21-\x7e]+$/);
    }),
  );
});
