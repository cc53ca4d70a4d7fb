import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { emptyModel, type ThingModel, type ThingProperty } from '../../product/thing-model.ts';
import type { DataType } from '../../product/thing-types.ts';
import { VALUES_BYTES, wrongAnswer, wrongInput, wrongToSet } from './check-values.ts';

const property = (id: string, dataType: DataType, access: 'rw' | 'r' = 'rw'): ThingProperty => ({ id, name: id, dataType, access });
const text: DataType = { kind: 'text', maxLength: 40 };
const level: DataType = { kind: 'int', min: 0, max: 100, step: 5, unit: '%' };
const receipt: DataType = {
  kind: 'struct',
  fields: [
    { id: 'copies', name: 'Copies', dataType: { kind: 'int', min: 1, max: 3, step: null, unit: null } },
    { id: 'lines', name: 'Lines', dataType: { kind: 'array', maxItems: 2, item: text } },
  ],
};
const model: ThingModel = {
  ...emptyModel,
  properties: [
    property('level', level),
    property('heat', { kind: 'float', min: null, max: null, step: null, unit: null }, 'r'),
    property('receipt', receipt),
    property('on', { kind: 'bool', yes: 'On', no: 'Off' }),
    property('mode', { kind: 'enum', values: [{ value: 1, label: 'One' }] }),
    property('at', { kind: 'date' }),
    property('name', text),
  ],
};
const said = (values: Record<string, unknown>) => wrongToSet(model, values).map(({ problem, at }) => `${at} ${problem}`);

describe('values that are to be set', () => {
  test.each<[string, Record<string, unknown>]>([
    ['level min', { level: -5 }],
    ['level max', { level: 105 }],
    ['level step', { level: 7 }],
    ['level type', { level: '5' }],
    ['level type', { level: Number.NaN }],
    ['level type', { level: null }],
    ['heat readOnly', { heat: 20 }],
    ['colour unknown', { colour: 1 }],
    ['constructor unknown', { constructor: 1 }],
    ['toString unknown', { toString: 1 }],
    ['receipt.copies max', { receipt: { copies: 4, lines: [] } }],
    ['receipt.lines missing', { receipt: { copies: 1 } }],
    ['receipt.paper unknown', { receipt: { copies: 1, lines: [], paper: 1 } }],
    ['receipt.lines items', { receipt: { copies: 1, lines: ['a', 'b', 'c'] } }],
    ['receipt.lines[1] length', { receipt: { copies: 1, lines: ['a', 'b'.repeat(41)] } }],
    ['receipt type', { receipt: [] }],
    ['on type', { on: 1 }],
    ['mode enum', { mode: 2 }],
    ['at date', { at: 'yesterday' }],
    ['name length', { name: 'x'.repeat(41) }],
    [' empty', {}],
  ])('%s', (wrong, values) => expect(said(values)).toEqual([wrong]));

  test('each wrong one is named, and the right ones aren’t', () => {
    const values = { level: 7, heat: 1, on: true, receipt: { copies: 9, lines: [] } };
    expect(said(values)).toEqual(['level step', 'heat readOnly', 'receipt.copies max']);
    expect(
      said({ level: 50, on: false, mode: 1, at: '2026-11-26T10:00:00Z', name: '日本', receipt: { copies: 2, lines: ['Bye'] } }),
    ).toEqual([]);
  });

  test('a name that a program put there is unknown, and nothing becomes of it', () => {
    expect(said(JSON.parse('{"__proto__": {"level": 5}}') as Record<string, unknown>)).toEqual(['__proto__ unknown']);
  });

  test('what doesn’t fit into a message is too large', () => {
    const long: ThingModel = { ...model, properties: [property('name', { kind: 'text', maxLength: 100_000 })] };
    expect(wrongToSet(long, { name: '€'.repeat(VALUES_BYTES / 3) })[0]).toMatchObject({ problem: 'large', limit: VALUES_BYTES });
  });

  test('anything at all is judged, and only what the model allows is taken', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.constantFrom('level', 'receipt', 'on', 'heat', '__proto__', 'x'), fc.jsonValue()), (values) => {
        const wrong = wrongToSet(model, values);
        if (wrong.length === 0) for (const id of Object.keys(values)) expect(['level', 'receipt', 'on']).toContain(id);
        for (const one of wrong) expect(one.problem).not.toBe('');
      }),
    );
    fc.assert(fc.property(fc.integer({ min: 0, max: 20 }), (n) => said({ level: n * 5 }).length === 0));
  });
});

describe('services', () => {
  const service = { input: [{ id: 'copies', name: 'Copies', dataType: level }] };
  test('each parameter is needed, and no other one', () => {
    expect(wrongInput(service, {})).toEqual([{ problem: 'missing', at: 'copies' }]);
    expect(wrongInput(service, { copies: 5, more: 1 })).toEqual([{ problem: 'unknown', at: 'more' }]);
    expect(wrongInput(service, { copies: 5 })).toEqual([]);
  });
  test('an answer may say more than the model, not less or otherwise', () => {
    expect(wrongAnswer(service.input, { copies: 5, more: 1 })).toEqual([]);
    expect(wrongAnswer(service.input, { copies: 'five' })).toEqual([{ problem: 'type', at: 'copies' }]);
    expect(wrongAnswer(service.input, null)).toEqual([{ problem: 'type', at: '' }]);
    expect(wrongAnswer([], null)).toEqual([]);
  });
});
