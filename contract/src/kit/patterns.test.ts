import { expect, test } from 'vitest';
import { z } from 'zod';
import { allCalls } from '../index.ts';
import { settingKinds } from '../settings/kinds.ts';

const partsOf = (schema: z.core.$ZodType): [string, z.core.$ZodType][] =>
  Object.entries(schema._zod.def).flatMap(([name, part]): [string, z.core.$ZodType][] => {
    if (part instanceof z.core.$ZodType) return [[name, part]];
    if (typeof part !== 'object' || part === null) return [];
    return Object.entries(part).filter((one): one is [string, z.core.$ZodType] => one[1] instanceof z.core.$ZodType);
  });

/** Patterns without words of their own, of which a person would read only that the format is wrong. */
function bare(schema: z.core.$ZodType, path: string, seen = new Set<z.core.$ZodType>()): string[] {
  if (seen.has(schema)) return [];
  seen.add(schema);
  const checks: readonly z.core.$ZodCheck[] =
    ('checks' in schema._zod.def && Array.isArray(schema._zod.def.checks) && schema._zod.def.checks) || [];
  const own = checks.flatMap(({ _zod: { def } }) =>
    'pattern' in def && def.check === 'string_format' && 'format' in def && def.format === 'regex' && !def.error
      ? [`${path} ${def.pattern}`]
      : [],
  );
  return [...own, ...partsOf(schema).flatMap(([name, part]) => bare(part, `${path}.${name}`, seen))];
}

test('the walk finds a pattern wherever it stands', () => {
  const pattern = z.string().regex(/^a$/);
  const within = [
    z.strictObject({ a: pattern.optional() }),
    z.array(pattern).default([]),
    z.union([z.literal(''), pattern]),
    z.record(pattern, z.string()),
    z
      .string()
      .transform((text) => text.trim())
      .pipe(pattern),
  ];
  expect(within.map((one) => bare(one, '').length)).toEqual(within.map(() => 1));
  expect(bare(z.strictObject({ a: z.string().regex(/^a$/, 'invalid.code') }), '')).toEqual([]);
});

test('every pattern of an input says what it expects', () => {
  const inputs: [string, z.core.$ZodType][] = [
    ...allCalls.map((call): [string, z.core.$ZodType] => [call.path, call.input]),
    ...Object.entries(settingKinds).map(([name, schema]): [string, z.core.$ZodType] => [name, schema]),
  ];
  expect(inputs.flatMap(([path, input]) => bare(input, path))).toEqual([]);
});
