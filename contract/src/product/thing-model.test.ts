import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { modelChanges } from './model-changes.ts';
import { emptyModel, ThingModel, type ThingProperty, valueFault } from './thing-model.ts';
import { type DataType, thingLimits, units } from './thing-types.ts';

const int = (min: number | null = null, max: number | null = null): DataType => ({ kind: 'int', min, max, step: null, unit: null });
const text = (maxLength = 10): DataType => ({ kind: 'text', maxLength });
const struct = (...fields: [id: string, type: DataType][]): DataType => ({
  kind: 'struct',
  fields: fields.map(([id, dataType]) => ({ id, name: id, dataType })),
});
const array = (item: DataType, maxItems = 3): DataType => ({ kind: 'array', item, maxItems });
const property = (id: string, dataType: DataType, access: 'rw' | 'r' = 'rw'): ThingProperty => ({ id, name: id, dataType, access });
const with_ = (...properties: ThingProperty[]): ThingModel => ({ ...emptyModel, properties });
const wrongIn = (model: unknown) =>
  ThingModel.safeParse(model).error?.issues.map(({ path, message }) => `${path.join('.')} ${message}`) ?? [];

describe('a model', () => {
  test.each([
    ['an identifier that begins with a digit', property('1st', int()), 'properties.0.id invalid.thingId'],
    ['a maximum below the minimum', property('level', int(5, 1)), 'properties.0.dataType.max invalid.maxBelowMin'],
    [
      'a value that stands twice',
      property('mode', { kind: 'enum', values: [1, 1].map((value) => ({ value, label: 'x' })) }),
      'properties.0.dataType.values invalid.enumTwice',
    ],
    [
      'a field that stands twice',
      property('lamp', struct(['a', int()], ['a', int()])),
      'properties.0.dataType.fields.1.id invalid.thingIdTwice',
    ],
  ])('refuses %s', (_name, wrong, said) => expect(wrongIn(with_(wrong))).toEqual([said]));

  test('names the second of two with one identifier, in each list by itself', () => {
    const service = { id: 'lamp', name: 'Lamp', input: [], output: [], sync: true };
    expect(wrongIn({ ...with_(property('lamp', int())), services: [service] })).toEqual([]);
    expect(wrongIn(with_(property('lamp', int()), property('lamp', text())))).toEqual(['properties.1.id invalid.thingIdTwice']);
  });

  test('is three levels deep at most, and as large as it may be', () => {
    const nested = (levels: number): DataType =>
      levels === 0 ? int() : levels % 2 === 0 ? array(nested(levels - 1)) : struct(['a', nested(levels - 1)]);
    expect(wrongIn(with_(property('deep', nested(thingLimits.depth))))).toEqual([]);
    expect(wrongIn(with_(property('deep', nested(thingLimits.depth + 1))))).not.toEqual([]);
    expect(wrongIn(with_(property('list', array(int(), thingLimits.items))))).toEqual([]);
    expect(wrongIn(with_(property('list', array(int(), thingLimits.items + 1))))).not.toEqual([]);
    const many = (count: number) => Array.from({ length: count }, (_, at) => property(`p${at}`, { kind: 'date' }));
    expect(wrongIn(with_(...many(thingLimits.entries)))).toEqual([]);
    expect(wrongIn(with_(...many(thingLimits.entries + 1)))).not.toEqual([]);
    const large = Array.from({ length: 60 }, (_, at) =>
      property(`p${at}`, struct(...Array.from({ length: 30 }, (_none, field) => [`f${field}`, text()] as [string, DataType]))),
    );
    expect(wrongIn(with_(...large))).toContain(' invalid.thingModelLarge');
  });

  test('has the units of each group, each once', () => {
    const all: string[] = Object.values(units).flat();
    expect(new Set(all).size).toBe(all.length);
    expect(Object.keys(units)).toHaveLength(14);
  });
});

describe('a value', () => {
  const lamp = struct(['level', { kind: 'int', min: 0, max: 100, step: 5, unit: '%' }], ['names', array(text(3), 2)]);
  test.each([
    [int(), 1.5, 'type', ''],
    [int(), '1', 'type', ''],
    [int(0, 9), 10, 'max', ''],
    [int(0, 9), -1, 'min', ''],
    [{ kind: 'double', min: 0, max: null, step: 0.1, unit: null }, 0.35, 'step', ''],
    [{ kind: 'enum', values: [{ value: 1, label: 'On' }] }, 2, 'enum', ''],
    [{ kind: 'bool', yes: 'On', no: 'Off' }, 1, 'type', ''],
    [text(3), 'long', 'length', ''],
    [{ kind: 'date' }, 'yesterday', 'date', ''],
    [lamp, { level: 7, names: [] }, 'step', 'level'],
    [lamp, { level: 5 }, 'missing', 'names'],
    [lamp, { level: 5, names: [], other: 1 }, 'unknown', 'other'],
    [lamp, { level: 5, names: ['a', 'long'] }, 'length', 'names[1]'],
    [lamp, { level: 5, names: ['a', 'b', 'c'] }, 'items', 'names'],
    [lamp, [], 'type', ''],
  ] as [DataType, unknown, string, string][])('%j: %j is wrong', (type, value, problem, at) =>
    expect(valueFault(type, value)).toMatchObject({ problem, at }),
  );
  test.each([
    [int(0, 9), 9],
    [{ kind: 'double', min: 0, max: null, step: 0.1, unit: null }, 0.3],
    [text(1), '😀'],
    [{ kind: 'date' }, '2026-05-01T10:00:00+02:00'],
    [lamp, { level: 5, names: ['a'] }],
    [array(int()), []],
  ] as [DataType, unknown][])('%j: %j fits', (type, value) => expect(valueFault(type, value)).toBeUndefined());
  test('of whatever kind is judged without an error', () => {
    fc.assert(fc.property(fc.anything(), (value) => void valueFault(lamp, value)));
  });
});

describe('what became of a model', () => {
  const changed = (old: DataType, next: DataType) =>
    modelChanges(with_(property('p', old)), with_(property('p', next))).map(
      ({ at, what, breaking }) => `${at} ${what}${breaking ? '!' : ''}`,
    );
  test.each([
    [int(), int(), []],
    [int(), text(), ['p retyped!']],
    [int(0, 10), int(0, 9), ['p narrowed!']],
    [int(0, 10), int(null, 10), ['p widened']],
    [int(0, 10), int(1, 20), ['p narrowed!']],
    [int(), int(0), ['p narrowed!']],
    [int(), { kind: 'int', min: null, max: null, step: 2, unit: 's' }, ['p unit!', 'p step!']],
    [text(5), text(6), ['p widened']],
    [array(int(), 5), array(int(0), 6), ['p widened', 'p[] narrowed!']],
    [struct(['a', int()]), struct(['b', int()]), ['p.a removed!', 'p.b added!']],
    [
      { kind: 'enum', values: [{ value: 1, label: 'On' }] },
      {
        kind: 'enum',
        values: [
          { value: 1, label: 'Lit' },
          { value: 2, label: 'Off' },
        ],
      },
      ['p widened', 'p renamed'],
    ],
  ] as [DataType, DataType, string[]][])('%j to %j', (old, next, said) => expect(changed(old, next)).toEqual(said));

  test('names what came, went, moved and can be done otherwise now', () => {
    const service = { id: 'ring', name: 'Ring', input: [], output: [], sync: true };
    const event = { id: 'fell', name: 'Fell', level: 'info', params: [] } as const;
    const old: ThingModel = {
      properties: [property('a', int()), property('b', int()), property('c', int())],
      services: [service],
      events: [{ ...event, params: [] }],
    };
    const param = { id: 'times', name: 'Times', dataType: int() };
    const next: ThingModel = {
      properties: [property('b', int(), 'r'), property('a', int()), property('d', int())],
      services: [{ ...service, input: [param], output: [param], sync: false }],
      events: [{ ...event, level: 'alarm', params: [param] }],
    };
    expect(modelChanges(old, next).map(({ list, at, what, breaking }) => `${list} ${at} ${what}${breaking ? '!' : ''}`)).toEqual([
      'properties b readOnly!',
      'properties c removed!',
      'properties d added',
      'properties  moved',
      'services ring sync!',
      'services ring.input.times added!',
      'services ring.output.times added',
      'events fell level',
      'events fell.times added',
    ]);
    expect(modelChanges(next, next)).toEqual([]);
    expect(modelChanges(emptyModel, next).filter((one) => one.breaking)).toEqual([]);
  });
});
