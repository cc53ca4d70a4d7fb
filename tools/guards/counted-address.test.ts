import { expect, test } from 'vitest';
import { addressFaults } from './counted-address.ts';
import { sourceFiles } from './source-files.ts';

test('no count and no limit goes by a single address', () => {
  expect(addressFaults(sourceFiles())).toEqual([]);
});

const key = (name: string, inner: string) => `\`${name}$\{${inner}}\``;

test.each([key('public ', 'request.ip'), key('codes-from:', 'ip'), key('invite-from:', 'ctx.ip')])(
  '%s is seen, except in tests',
  (text) => {
    expect(addressFaults([{ path: 'server/src/modules/a/a.ts', text }])).toHaveLength(1);
    expect(addressFaults([{ path: 'server/src/modules/a/a.test.ts', text }])).toEqual([]);
    expect(addressFaults([{ path: 'server/src/modules/a/b.ts', text: key('public ', 'homeOf(request.ip)') }])).toEqual([]);
  },
);
