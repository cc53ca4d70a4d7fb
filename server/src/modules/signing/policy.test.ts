import { expect, test } from 'vitest';
import { checkHours, checkUse, fitsPackage, fitsProducts } from './policy.ts';

const key = {
  state: 'active',
  not_after: new Date(10),
  profiles: [],
  package_names: [],
  most_uses: null,
  uses: 0,
  hour_from: null,
  hour_to: null,
};
const faultOf = (work: () => void) => {
  try {
    work();
    return undefined;
  } catch (error) {
    return (error as { fault?: string }).fault;
  }
};
const use = { profile: 'apk', packageName: 'com.acme.pay' } as const;

test.each([
  ['com.acme.pay', 'com.acme.pay', true],
  ['com.acme.pay', 'com.acme.pay.more', false],
  ['com.acme.*', 'com.acme.pay', true],
  ['com.acme.*', 'com.acmeevil.pay', false],
  ['com.acme.*', 'com.acme', false],
  ['com.acme.*', 'com.acme.', false],
  ['com.acme.*', '', false],
])('%s and %s: %s', (pattern, name, fits) => expect(fitsPackage(pattern, name)).toBe(fits));

test.each([
  [[], [], true],
  [[], [7], true],
  [[7, 8], [8], true],
  [['7', '8'], [7, '8'], true],
  [[7], [7, 8], false],
  [[7], [], false],
])('a key for products %j, and what is for %j: %s', (ofKey, of, fits) => expect(fitsProducts(ofKey, of)).toBe(fits));

test.each([
  [{}, undefined],
  [{ state: 'suspended' }, 'KEY_NOT_ACTIVE'],
  [{ not_after: new Date(5) }, undefined],
  [{ profiles: ['cms'] }, 'KEY_PROFILE'],
  [{ package_names: ['org.*'] }, 'KEY_PACKAGE'],
  [{ most_uses: 2, uses: 2 }, 'KEY_USED_UP'],
])('a key with %j answers %s', (part, fault) => expect(faultOf(() => checkUse({ ...key, ...part }, use, new Date(5)))).toBe(fault));

test.each([
  ['a signature beside a package', { profile: 'cms', packageName: 'com.acme.pay' }],
  ['a document', { profile: 'cms', packageName: '' }],
  ['a plain archive', { profile: 'apk', packageName: '' }],
] as const)('a certificate that is over signs no more than Android packages: not %s', (_what, of) =>
  expect(faultOf(() => checkUse({ ...key, not_after: new Date(5) }, of, new Date(5)))).toBe('KEY_CERTIFICATE_OVER'),
);

test.each([
  [8, 18, 8, undefined],
  [8, 18, 18, 'KEY_HOURS_NOW'],
  [22, 6, 23, undefined],
  [22, 6, 5, undefined],
  [22, 6, 6, 'KEY_HOURS_NOW'],
  [9, 9, 3, undefined],
])('from %d to %d at %d: %s', (from, to, hour, fault) =>
  expect(faultOf(() => checkHours({ ...key, hour_from: from, hour_to: to }, new Date(Date.UTC(2030, 0, 1, hour, 30))))).toBe(fault),
);
