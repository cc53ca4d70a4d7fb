import { z } from 'zod';
import { documented } from '../kit/schema.ts';
import { DataType, Identifier, idsOnce, type ThingField, ThingName, thingLimits } from './thing-types.ts';

export const accessModes = ['rw', 'r'] as const;
export const eventLevels = ['info', 'warning', 'alarm'] as const;
export const thingLists = ['properties', 'services', 'events'] as const;
export type ThingList = (typeof thingLists)[number];

const head = { id: Identifier, name: ThingName };
const Param = z.strictObject({ ...head, dataType: DataType });
const Params = z.array(Param).max(thingLimits.params).superRefine(idsOnce).default([]);

export const ThingProperty = z.strictObject({ ...head, dataType: DataType, access: z.enum(accessModes) });
export const ThingService = z.strictObject({ ...head, input: Params, output: Params, sync: z.boolean().default(true) });
export const ThingEvent = z.strictObject({ ...head, level: z.enum(eventLevels), params: Params });
export type ThingProperty = z.output<typeof ThingProperty>;
export type ThingService = z.output<typeof ThingService>;
export type ThingEvent = z.output<typeof ThingEvent>;

const listOf = <T extends z.ZodType<{ id: string }>>(entry: T) => z.array(entry).max(thingLimits.entries).superRefine(idsOnce).default([]);
const bytesOf = (value: unknown) => new TextEncoder().encode(JSON.stringify(value)).length;

/** What terminals of a product are: what can be read and set of them, what they can be asked to do, and what they tell by themselves. */
export const ThingModel = z
  .strictObject({ properties: listOf(ThingProperty), services: listOf(ThingService), events: listOf(ThingEvent) })
  .refine((model) => bytesOf(model) <= thingLimits.bytes, 'invalid.thingModelLarge')
  .register(documented, { id: 'ThingModel' });
export type ThingModel = z.output<typeof ThingModel>;
export const emptyModel: ThingModel = { properties: [], services: [], events: [] };
export type ThingEntry = ThingProperty | ThingService | ThingEvent;

/** What is wrong with a value for a type, by the last part of its text key, and where in it: `lamp.level`, `marks[2]`. */
export interface ValueFault {
  readonly problem: 'type' | 'min' | 'max' | 'step' | 'enum' | 'length' | 'date' | 'missing' | 'unknown' | 'items';
  readonly at: string;
  readonly limit?: number;
}

const isDate = (value: unknown) => typeof value === 'string' && z.iso.datetime({ offset: true }).safeParse(value).success;
/** Steps are counted from the smallest value, or from zero; decimals are as exact as they are stored. */
function isOnStep(value: number, step: number, from: number): boolean {
  const steps = (value - from) / step;
  return Math.abs(steps - Math.round(steps)) <= 1e-9 * Math.max(1, Math.abs(steps));
}

function numberFault(type: Extract<DataType, { min: number | null }>, value: unknown, at: string): ValueFault | undefined {
  if (typeof value !== 'number' || !Number.isFinite(value) || (type.kind === 'int' && !Number.isSafeInteger(value)))
    return { problem: 'type', at };
  if (type.min !== null && value < type.min) return { problem: 'min', at, limit: type.min };
  if (type.max !== null && value > type.max) return { problem: 'max', at, limit: type.max };
  return type.step !== null && !isOnStep(value, type.step, type.min ?? 0) ? { problem: 'step', at, limit: type.step } : undefined;
}

function structFault(fields: readonly ThingField[], value: unknown, at: string): ValueFault | undefined {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return { problem: 'type', at };
  const place = (id: string) => (at === '' ? id : `${at}.${id}`);
  const unknown = Object.keys(value).find((id) => !fields.some((field) => field.id === id));
  if (unknown !== undefined) return { problem: 'unknown', at: place(unknown) };
  for (const { id, dataType } of fields) {
    if (!Object.hasOwn(value, id)) return { problem: 'missing', at: place(id) };
    const found = valueFault(dataType, (value as Record<string, unknown>)[id], place(id));
    if (found) return found;
  }
  return undefined;
}

function arrayFault(type: Extract<DataType, { kind: 'array' }>, value: unknown, at: string): ValueFault | undefined {
  if (!Array.isArray(value)) return { problem: 'type', at };
  if (value.length > type.maxItems) return { problem: 'items', at, limit: type.maxItems };
  for (const [index, item] of value.entries()) {
    const found = valueFault(type.item, item, `${at}[${index}]`);
    if (found) return found;
  }
  return undefined;
}

/** The first thing that is wrong with a value for a type; nothing where it fits. */
export function valueFault(type: DataType, value: unknown, at = ''): ValueFault | undefined {
  switch (type.kind) {
    case 'enum':
      return type.values.some((one) => one.value === value) ? undefined : { problem: 'enum', at };
    case 'bool':
      return typeof value === 'boolean' ? undefined : { problem: 'type', at };
    case 'text':
      if (typeof value !== 'string') return { problem: 'type', at };
      return [...value].length > type.maxLength ? { problem: 'length', at, limit: type.maxLength } : undefined;
    case 'date':
      return isDate(value) ? undefined : { problem: 'date', at };
    case 'struct':
      return structFault(type.fields, value, at);
    case 'array':
      return arrayFault(type, value, at);
    default:
      return numberFault(type, value, at);
  }
}
