import { AdvertRelease } from '@mooring/contract/desktop/release-calls';
import { Version } from '@mooring/contract/device/manifest';
import { limitsOf } from '@mooring/contract/kit/issue-words';
import { settingKinds } from '@mooring/contract/settings/kinds';
import { systemSettingCalls } from '@mooring/contract/settings/system-calls';
import { Email } from '@mooring/contract/shared/patterns';
import { expect, it, test } from 'vitest';
import { z } from 'zod';
import { check, defaultsOf, isEmptied, isNeeded, isRequired, kindOf, tidy } from './schema.ts';

const schema = z.strictObject({
  name: z.string().trim().min(2).max(64),
  email: Email.optional(),
  size: z.int().min(1).max(9).default(3),
  kind: z.enum(['a', 'b']),
  tags: z.array(z.string()).max(2).optional(),
  nets: z.array(z.enum(['x', 'y'])).optional(),
  note: z.string().max(500).default(''),
  on: z.boolean().default(true),
  when: z.string().nullable().optional(),
});
const { shape } = schema;

it('reads kind, limits and need from the input', () => {
  expect([shape.name, shape.note, shape.size, shape.kind, shape.tags, shape.nets, shape.on].map(kindOf)).toEqual([
    'text',
    'area',
    'number',
    'one',
    'tags',
    'multi',
    'switch',
  ]);
  expect(limitsOf(shape.size)).toMatchObject({ minValue: 1, maxValue: 9 });
  expect(limitsOf(shape.name).max).toBe(64);
  expect(limitsOf(shape.nets).options).toEqual(['x', 'y']);
  expect([isRequired(shape.name), isRequired(shape.email), isRequired(shape.size)]).toEqual([true, false, false]);
  expect(defaultsOf(schema)).toEqual({ size: 3, note: '', on: true });
});

it('says what is wrong in words that a person knows', () => {
  expect(check(schema, { kind: 'c', email: 'x', size: 10, name: 'a', tags: ['1', '2', '3'] })).toEqual({
    kind: 'invalid.invalid_value',
    email: 'invalid.email',
    size: { key: 'invalid.whole', params: { bounds: 'both', min: 1, max: 9 } },
    name: { key: 'invalid.minText', params: { limit: 2 } },
    tags: { key: 'invalid.maxList', params: { limit: 2 } },
  });
  expect(check(schema, { name: '' })).toEqual({ name: 'invalid.required', kind: 'invalid.required' });
  expect(check(schema, { name: 'abc', kind: 'a' })).toEqual({});
});

it('says of a value of the wrong kind or form what is expected', () => {
  const inner = z.strictObject({ retries: z.int().min(0).max(10), share: z.number().min(0.5), at: z.iso.datetime().nullable() });
  const outer = z.strictObject({ of: inner, issuer: z.union([z.literal(''), z.url()]), version: Version });
  expect(check(outer, { of: { retries: 'abc', share: 'x', at: 'tomorrow' }, issuer: 'not one', version: 'v 2 <script>' })).toEqual({
    of: { key: 'invalid.whole', params: { bounds: 'both', min: 0, max: 10 } },
    'of.retries': { key: 'invalid.whole', params: { bounds: 'both', min: 0, max: 10 } },
    'of.share': { key: 'invalid.number', params: { bounds: 'min', min: 0.5, max: 0 } },
    'of.at': 'invalid.moment',
    issuer: 'invalid.webUrl',
    version: 'invalid.version',
  });
});

it('leaves empty texts and hidden fields out', () => {
  expect(tidy(schema, { name: '', email: '', note: '', kind: 'a', size: undefined }, new Set(['kind']))).toEqual({ name: '', note: '' });
});

test('a field is needed where another one asks for it, and said to be optional no more', () => {
  const schema = systemSettingCalls.singleSignOn.input;
  const values = { ...settingKinds.singleSignOn.parse({}), issuer: 'https://id.example.com', clientId: 'console' };
  const needed = (enabled: boolean) =>
    ['issuer', 'clientId', 'groupsClaim'].filter((name) => isNeeded(schema, { ...values, enabled }, name));
  expect(needed(false)).toEqual([]);
  expect(needed(true)).toEqual(['issuer', 'clientId']);
  const content = { contentId: 3, action: 'config' };
  expect([content, { ...content, contentId: null }].map((one) => isNeeded(AdvertRelease, one, 'contentId'))).toEqual([true, true]);
  expect(isNeeded(AdvertRelease, { ...content, action: 'reset' }, 'contentId')).toBe(false);
});

test('a default never comes into the place of what was taken out', () => {
  const { size, note, when, email, name } = shape;
  expect(isEmptied(size, 3, undefined)).toBe(true);
  expect(isEmptied(size, 3, 4)).toBe(false);
  expect(isEmptied(size, undefined, undefined)).toBe(false);
  for (const optional of [note, when, email]) expect(isEmptied(optional, 'x', undefined)).toBe(false);
  // The schema asks for it by itself.
  expect(isEmptied(name, 'x', undefined)).toBe(false);
});
