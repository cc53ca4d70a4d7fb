import { expect, test } from 'vitest';
import { isCidr } from './cidr.ts';

test.each(['10.0.0.0/8', '192.0.2.7', '0.0.0.0/0', '2001:db8::/32', '::1', '::/0', 'fe80:0:0:0:0:0:0:1/128'])('%s is a network', (text) =>
  expect(isCidr(text)).toBe(true),
);
test.each([
  '',
  '10.0.0',
  '10.0.0.256',
  '10.0.0.0/33',
  '10.0.0.0/',
  '10.0.0.0/8/8',
  '::1/129',
  ':::1',
  '1::2::3',
  'g::1',
  'example.com',
  '10.0.0.0/-1',
  '010.0.0.1',
])('%s is none', (text) => expect(isCidr(text)).toBe(false));
