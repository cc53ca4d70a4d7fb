import { loginPresets, passwordPresets } from '@mooring/contract/auth/policy';
import { expect, test } from 'vitest';
import { isExpired, mayComeFrom } from './policies.ts';

const from = (addresses: string[]) => ({ ...loginPresets.spec, addresses });

test.each([
  [[], '203.0.113.9', true],
  [['10.0.0.0/8'], '10.1.2.3', true],
  [['10.0.0.0/8'], '::ffff:10.1.2.3', true],
  [['10.0.0.0/8'], '11.1.2.3', false],
  [['192.0.2.7'], '192.0.2.7', true],
  [['192.0.2.7'], '192.0.2.8', false],
  [['2001:db8::/32'], '2001:db8:1::5', true],
  [['2001:db8::/32', '10.0.0.0/8'], '2001:db9::5', false],
  [['10.0.0.0/8'], 'nonsense', false],
])('%s lets %s in: %s', (addresses, ip, may) => expect(mayComeFrom(from(addresses), ip)).toBe(may));

test('a password runs out after its days, but not for who uses a second factor where the policy spares them', () => {
  const now = new Date('2026-06-01T00:00:00Z');
  const [fresh, old] = [new Date('2026-05-01T00:00:00Z'), new Date('2026-01-01T00:00:00Z')];
  expect(isExpired(passwordPresets.pci, fresh, false, now)).toBe(false);
  expect(isExpired(passwordPresets.pci, old, false, now)).toBe(true);
  expect(isExpired(passwordPresets.pci, old, true, now)).toBe(false);
  expect(isExpired({ ...passwordPresets.pci, expiresWithMfa: true }, old, true, now)).toBe(true);
  expect(isExpired(passwordPresets.spec, old, false, now)).toBe(false);
});
