import { expect, test } from 'vitest';
import { sidesOf } from './sides.ts';

test.each([
  ['a partner below', '1.2.', { dept_path: '1.2.', partner_path: '1.2.3.' }, ['customer']],
  ['the partner below itself', '1.2.3.', { dept_path: '1.2.', partner_path: '1.2.3.' }, ['service']],
  ['a partner above', '1.2.', { dept_path: '1.2.3.', partner_path: '1.2.' }, ['service']],
  ['who orders from one above', '1.2.3.', { dept_path: '1.2.3.', partner_path: '1.2.' }, ['customer']],
  ['between the two', '1.2.3.', { dept_path: '1.2.3.4.', partner_path: '1.2.' }, ['customer']],
  ['one organisation alone', '1.2.', { dept_path: '1.2.', partner_path: '1.2.' }, ['customer', 'service']],
  ['above both', '1.', { dept_path: '1.2.3.', partner_path: '1.2.' }, ['customer', 'service']],
  ['a stranger', '1.9.', { dept_path: '1.2.3.', partner_path: '1.2.' }, []],
  ['a path that only begins alike', '1.20.', { dept_path: '1.2.', partner_path: '1.2.' }, []],
])('%s', (_name, scope, row, sides) => {
  expect(sidesOf(scope, row)).toEqual(sides);
});
