import { metadataOf, Seal } from '@mooring/contract/kit/schema';
import fc from 'fast-check';
import { z } from 'zod';

interface Shape {
  readonly type?: string;
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly anyOf?: readonly Shape[];
  readonly oneOf?: readonly Shape[];
  readonly allOf?: readonly Shape[];
  readonly properties?: Readonly<Record<string, Shape>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: Shape | boolean;
  readonly propertyNames?: Shape;
  readonly items?: Shape;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly pattern?: string;
  readonly format?: string;
  readonly isRef?: boolean;
}

const ODD_TEXTS = [
  '',
  ' ',
  '%_\\',
  "'; drop table device; --",
  '<img src=x onerror=alert(1)>',
  '=1+cmd|x!A1',
  '../../etc/passwd',
  '{{7*7}}',
  'a\u0000b',
  '\ud800',
  '\u202etxt',
  '𝕄ö中文ﷺ',
  'NaN',
  '1e999',
];
/** Rows that are there, rows of nobody, and rows of others. */
const ids = fc.constantFrom(1, 2, 3, 4, 7, 999_999, Number.MAX_SAFE_INTEGER);
const leaf = fc.oneof(fc.integer(), fc.boolean(), fc.constant(null), fc.constantFrom(...ODD_TEXTS));

function text(shape: Shape): fc.Arbitrary<unknown> {
  if (shape.format === 'date-time')
    return fc
      .date({ min: new Date(0), max: new Date('2100-01-01'), noInvalidDate: true })
      .map((at) => at.toISOString().replace(/^\+\d\d/, ''))
      .chain((at) => fc.constantFrom(at, at, at, ...ODD_MOMENTS));
  if (shape.format === 'date') return fc.constantFrom('2026-02-28', '2024-02-29', '1970-01-01');
  if (shape.format === 'email') return fc.constantFrom('a@example.com', 'x.y+z@sub.example.org');
  if (shape.format === 'uri') return fc.constantFrom('https://example.com/a', 'http://127.0.0.1/', 'https://user:pw@example.com/?q=#f');
  if (shape.pattern) {
    try {
      return fc.stringMatching(new RegExp(shape.pattern, 'u'), { size: 'small' });
    } catch {
      return fc.constant('abc');
    }
  }
  const min = shape.minLength ?? 0;
  const max = Math.min(shape.maxLength ?? 40, min + 40);
  return fc.oneof(fc.string({ minLength: min, maxLength: max, unit: 'grapheme' }), fc.constantFrom(...ODD_TEXTS));
}

/** Values of a JSON Schema. What it can't say (refinements, other rows) makes a few of them wrong, which is as well. */
function valuesOf(shape: Shape, depth = 0): fc.Arbitrary<unknown> {
  if (shape.isRef) return ids;
  if ('const' in shape) return fc.constant(shape.const);
  if (shape.enum) return fc.constantFrom(...shape.enum);
  const choices = shape.anyOf ?? shape.oneOf;
  if (choices) return fc.oneof(...choices.map((one) => valuesOf(one, depth + 1)));
  if (shape.allOf) return fc.tuple(...shape.allOf.map((one) => valuesOf(one, depth + 1))).map((all) => Object.assign({}, ...all));
  if (shape.type === 'string') return text(shape);
  if (shape.type === 'integer' || shape.type === 'number') {
    const [min, max] = [shape.minimum ?? -1000, Math.min(shape.maximum ?? 1000, Number.MAX_SAFE_INTEGER)];
    return fc.oneof(fc.constantFrom(min, max), fc.integer({ min: Math.ceil(min), max: Math.floor(Math.min(max, min + 100)) }));
  }
  if (shape.type === 'boolean') return fc.boolean();
  if (shape.type === 'null') return fc.constant(null);
  if (shape.type === 'array')
    return fc.array(valuesOf(shape.items ?? {}, depth + 1), {
      minLength: shape.minItems ?? 0,
      maxLength: Math.min(shape.maxItems ?? 3, (shape.minItems ?? 0) + 3),
    });
  if (shape.type === 'object' && shape.properties)
    return fc.record(Object.fromEntries(Object.entries(shape.properties).map(([key, one]) => [key, valuesOf(one, depth + 1)])), {
      requiredKeys: [...(shape.required ?? [])],
    });
  if (shape.type === 'object')
    return fc.dictionary(
      text(shape.propertyNames ?? {}).map(String),
      typeof shape.additionalProperties === 'object' ? valuesOf(shape.additionalProperties, depth + 1) : leaf,
      { maxKeys: 3 },
    );
  return leaf;
}

/** Inputs that a schema takes, or all but takes. */
export function inputsOf(schema: z.ZodType): fc.Arbitrary<unknown> {
  const shape = z.toJSONSchema(schema, {
    io: 'input',
    unrepresentable: 'any',
    cycles: 'ref',
    reused: 'inline',
    override: ({ zodSchema, jsonSchema }) => {
      const mark = metadataOf(zodSchema as unknown as z.ZodType);
      if (mark?.ref) Object.assign(jsonSchema, { isRef: true });
      if (mark?.sealed) Object.assign(jsonSchema, { pattern: undefined }, z.toJSONSchema(Seal));
    },
  });
  return valuesOf(shape as Shape);
}

/** Cursors as another might make them: of each order, with a key or an id that no row has. */
const FORGED = ['id', 'createdAt', 'name', '-1'].flatMap((sort) =>
  ['', 'x', '0000-01-01T00:00:00Z', '9'.repeat(400)].map((key) => Buffer.from(JSON.stringify([sort, key, 1])).toString('base64url')),
);
/** Moments that a schema takes and no calendar of a database knows. */
const ODD_MOMENTS = ['0000-01-01T00:00:00Z', '0000-12-31T23:59:59.999Z', '9999-12-31T23:59:59.999Z'];
const nested = (depth: number): unknown => (depth === 0 ? 1 : [nested(depth - 1)]);
/** What stands in the place of a part of an input. */
const ODD: readonly unknown[] = [
  null,
  true,
  -1,
  0,
  1.5,
  Number.MAX_SAFE_INTEGER,
  1e308,
  [],
  {},
  [null],
  { $ne: null },
  { toString: 1 },
  'x'.repeat(100_000),
  nested(60),
  Array.from({ length: 10_000 }, (_, at) => at + 1),
  ...ODD_TEXTS,
  ...ODD_MOMENTS,
  ...FORGED,
];

function placesOf(value: unknown, path: readonly (string | number)[] = []): (readonly (string | number)[])[] {
  if (value === null || typeof value !== 'object') return [path];
  const below = Object.entries(value).flatMap(([key, one]) => placesOf(one, [...path, Array.isArray(value) ? Number(key) : key]));
  return [path, ...below];
}

function withAt(value: unknown, path: readonly (string | number)[], change: (old: unknown) => unknown): unknown {
  const [key, ...rest] = path;
  if (key === undefined) return change(value);
  const copy = Array.isArray(value) ? [...value] : { ...(value as object) };
  (copy as Record<string | number, unknown>)[key] = withAt((value as Record<string | number, unknown>)[key], rest, change);
  return copy;
}

const spoil = fc.oneof(
  { weight: 6, arbitrary: fc.constantFrom(...ODD).map((odd) => () => odd) },
  { weight: 1, arbitrary: fc.constant((old: unknown) => ({ ...(old as object), unknownField: 1 })) },
  { weight: 1, arbitrary: fc.constant((old: unknown) => JSON.parse(`{"__proto__": {"admin": true}, "old": ${JSON.stringify(old) ?? 1}}`)) },
  { weight: 1, arbitrary: fc.constant((old: unknown) => [old, old]) },
  { weight: 1, arbitrary: fc.constant((old: unknown) => JSON.stringify(old)) },
);

/** One part of a good input is replaced, added to, doubled or taken away. */
export const spoiledOf = (good: fc.Arbitrary<unknown>): fc.Arbitrary<unknown> =>
  fc.tuple(good, fc.nat(), spoil).map(([value, at, change]) => {
    const places = placesOf(value);
    return withAt(value, places[at % places.length] ?? [], change);
  });
