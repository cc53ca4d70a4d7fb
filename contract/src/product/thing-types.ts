import { z } from 'zod';
import { documented } from '../kit/schema.ts';

/** The specification's groups of units, each with its symbols. */
export const units = {
  time: ['ms', 's', 'min', 'h', 'd'],
  temperature: ['°C', '°F', 'K'],
  airQuality: ['µg/m³', 'mg/m³', 'ppm', 'ppb', 'AQI'],
  electricity: ['mV', 'V', 'kV', 'mA', 'A', 'mAh', 'Ω', 'kΩ', 'Hz', 'kHz', 'MHz'],
  power: ['mW', 'W', 'kW', 'Wh', 'kWh', 'VA', 'var'],
  length: ['mm', 'cm', 'm', 'km', 'in', 'ft'],
  area: ['mm²', 'cm²', 'm²', 'km²'],
  sound: ['dB', 'dB(A)'],
  angle: ['°', 'rad'],
  concentration: ['mol/L', 'mg/L', 'g/L', 'µg/L'],
  signal: ['dBm', 'asu'],
  storage: ['bit', 'B', 'KB', 'MB', 'GB', 'TB'],
  percent: ['%', '‰'],
  count: ['pcs', 'times', 'sheets'],
} as const;
export type UnitGroup = keyof typeof units;
const Unit = z.enum(Object.values(units).flat() as [string, ...string[]]);

export const thingLimits = {
  entries: 200,
  params: 50,
  fields: 50,
  values: 100,
  depth: 3,
  items: 512,
  text: 4096,
  bytes: 64 * 1024,
} as const;

/** By which terminals and other systems know a part of a model. */
export const Identifier = z.string().regex(/^[a-zA-Z][a-zA-Z0-9_]{0,31}$/, 'invalid.thingId');
const Label = z.string().trim().min(1).max(64);

export const numberKinds = ['int', 'float', 'double'] as const;
const numbers = { min: z.number().nullable().default(null), max: z.number().nullable().default(null), unit: Unit.nullable().default(null) };
const EnumValues = z
  .array(z.strictObject({ value: z.int().min(-2_147_483_648).max(2_147_483_647), label: Label }))
  .min(1)
  .max(thingLimits.values);

/** What a value may be. */
export type DataType =
  | { kind: (typeof numberKinds)[number]; min: number | null; max: number | null; step: number | null; unit: string | null }
  | { kind: 'enum'; values: { value: number; label: string }[] }
  | { kind: 'bool'; yes: string; no: string }
  | { kind: 'text'; maxLength: number }
  | { kind: 'date' }
  | { kind: 'struct'; fields: ThingField[] }
  | { kind: 'array'; item: DataType; maxItems: number };
export interface ThingField {
  id: string;
  name: string;
  dataType: DataType;
}
export const dataKinds = ['int', 'float', 'double', 'enum', 'bool', 'text', 'date', 'struct', 'array'] as const;
export type DataKind = (typeof dataKinds)[number];

const Step = z.number().positive().nullable().default(null);
const whole = { ...numbers, min: z.int().nullable().default(null), max: z.int().nullable().default(null) };
const flat = [
  z.strictObject({ kind: z.literal('int'), ...whole, step: z.int().positive().nullable().default(null) }),
  z.strictObject({ kind: z.literal('float'), ...numbers, step: Step }),
  z.strictObject({ kind: z.literal('double'), ...numbers, step: Step }),
  z.strictObject({ kind: z.literal('enum'), values: EnumValues }),
  z.strictObject({ kind: z.literal('bool'), yes: Label, no: Label }),
  z.strictObject({ kind: z.literal('text'), maxLength: z.int().min(1).max(thingLimits.text) }),
  z.strictObject({ kind: z.literal('date') }),
] as const;

const hasTwice = <T>(list: readonly T[]) => new Set(list).size < list.length;
const rangeIsRight = (type: { min?: number | null; max?: number | null }) =>
  type.min === null || type.max === null || type.min === undefined || type.max === undefined || type.min <= type.max;

/** A data type with so many levels below it: told level by level, so that nothing is deeper than it may be. */
function typeTo(depth: number): z.ZodType<DataType, DataType> {
  const inner = depth === 0 ? undefined : typeTo(depth - 1);
  const nested =
    inner === undefined
      ? []
      : [
          z.strictObject({
            kind: z.literal('struct'),
            fields: z
              .array(z.strictObject({ id: Identifier, name: Label, dataType: inner }))
              .min(1)
              .max(thingLimits.fields)
              .superRefine(idsOnce),
          }),
          z.strictObject({ kind: z.literal('array'), item: inner, maxItems: z.int().min(1).max(thingLimits.items) }),
        ];
  const one = z.discriminatedUnion('kind', [...flat, ...nested] as unknown as typeof flat);
  const checked = one.superRefine((type, { addIssue }) => {
    if (!rangeIsRight(type as { min?: number | null; max?: number | null }))
      addIssue({ code: 'custom', path: ['max'], message: 'invalid.maxBelowMin', input: type });
    if (type.kind === 'enum' && hasTwice(type.values.map(({ value }) => value)))
      addIssue({ code: 'custom', path: ['values'], message: 'invalid.enumTwice', input: type });
  }) as unknown as z.ZodType<DataType, DataType>;
  return checked.register(documented, { id: `DataType${depth}` });
}

/** Each identifier stands once in its list. */
export function idsOnce(list: readonly { readonly id: string }[], { addIssue }: z.RefinementCtx): void {
  const seen = new Set<string>();
  for (const [at, { id }] of list.entries()) {
    if (seen.has(id)) addIssue({ code: 'custom', path: [at, 'id'], message: 'invalid.thingIdTwice', input: id });
    seen.add(id);
  }
}

/** Structs and arrays at most three deep. */
export const DataType = typeTo(thingLimits.depth);
export const ThingName = Label;
