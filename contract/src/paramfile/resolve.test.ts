import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type GivenAt, missingOf, paramLevels, resolve } from './resolve.ts';
import { TemplateField } from './template-fields.ts';

const fieldOf = (key: string, more: object = {}) => TemplateField.parse({ key, type: 'text', ...more });
const at = (id: number, values: object, locked: string[] = [], level: GivenAt['place']['level'] = 'org'): GivenAt => ({
  place: { level, id, name: `Place ${id}` },
  values: values as GivenAt['values'],
  locked,
});

test('the lowest value counts, then the one above it, then the default', () => {
  const fields = [fieldOf('host', { default: 'd' }), fieldOf('text')];
  expect(resolve(fields, []).get('host')).toEqual({ value: 'd', from: 'default', lockedBy: null });
  expect(resolve(fields, []).get('text')).toEqual({ value: null, from: 'none', lockedBy: null });
  const found = resolve(fields, [at(1, { host: 'a' }), at(2, { host: 'b', text: 't' }), at(3, { text: '' })]);
  expect(found.get('host')).toMatchObject({ value: 'b', from: { id: 2 } });
  expect(found.get('text')).toMatchObject({ value: 't', from: { id: 2 } });
});

test('what stands below a lock does not count, and counts again when it is lifted', () => {
  const fields = [fieldOf('host')];
  const below = at(3, { host: 'c' }, [], 'shop');
  expect(resolve(fields, [at(1, { host: 'a' }, ['host']), below]).get('host')).toMatchObject({ value: 'a', lockedBy: { id: 1 } });
  expect(resolve(fields, [at(1, { host: 'a' }), below]).get('host')).toMatchObject({ value: 'c', lockedBy: null });
  // Locked without a value of its own: as it came from above, or not at all.
  expect(resolve(fields, [at(1, {}, ['host']), below]).get('host')).toMatchObject({ value: null, from: 'none', lockedBy: { id: 1 } });
});

test('a value that no longer fits its field is passed over', () => {
  const fields = [fieldOf('n', { type: 'number', max: 9, required: true })];
  expect(resolve(fields, [at(1, { n: 5 }), at(2, { n: 'x' }), at(3, { n: 10 })]).get('n')).toMatchObject({ value: 5, from: { id: 1 } });
  const none = resolve(fields, [at(2, { n: 'x' })]);
  expect(missingOf(fields, none).map(({ key }) => key)).toEqual(['n']);
});

test('no key of an object is taken for a value', () => {
  const fields = [fieldOf('toString'), fieldOf('constructor')];
  expect([...resolve(fields, [at(1, {})]).values()].map(({ value }) => value)).toEqual([null, null]);
});

const keys = ['a', 'b', 'c'];
const values = fc.dictionary(
  fc.constantFrom(...keys, 'gone'),
  fc.oneof(fc.constantFrom('', 'x', 'yy', 'zzzzz'), fc.integer(), fc.boolean()),
);
const levels = fc.array(
  fc.record({ values, locked: fc.uniqueArray(fc.constantFrom(...keys, 'gone')), level: fc.constantFrom(...paramLevels) }),
  { maxLength: 8 },
);
test('any tree of levels and locks resolves as a walk from the bottom finds it', () => {
  fc.assert(
    fc.property(levels, fc.option(fc.constantFrom('d'), { nil: null }), (given, fallback) => {
      const fields = keys.map((key) => fieldOf(key, { default: fallback, maxLength: 4 }));
      const tree = given.map((one, id) => at(id + 1, one.values, one.locked, one.level));
      const found = resolve(fields, tree);
      for (const key of keys) {
        const lock = tree.find((one) => one.locked.includes(key));
        const counting = lock ? tree.filter((one) => one.place.id <= lock.place.id) : tree;
        const source = counting
          .toReversed()
          .find((one) => ['x', 'yy'].includes(String(one.values[key])) && typeof one.values[key] === 'string');
        expect(found.get(key)).toEqual({
          value: source ? source.values[key] : fallback,
          from: source ? source.place : fallback === null ? 'none' : 'default',
          lockedBy: lock ? lock.place : null,
        });
      }
    }),
  );
});
