import {
  emptyModel,
  ThingEvent,
  type ThingList,
  type ThingModel,
  ThingProperty,
  ThingService,
} from '@mooring/contract/product/thing-model';
import type { DataKind } from '@mooring/contract/product/thing-types';
import type { z } from 'zod';
import { problemsIn } from '../../../kit/form/schema.ts';
import type { Words } from '../../../ui/words.ts';

/** A part of a model under way: anything may still be missing or wrong. */
export type Draft = Readonly<Record<string, unknown>>;
export type Problems = Readonly<Record<string, Words>>;

export const schemas: Readonly<Record<ThingList, z.ZodType>> = { properties: ThingProperty, services: ThingService, events: ThingEvent };

/** The same as another type: limits of the one before say nothing about it. */
export function typeOf(kind: DataKind): Draft {
  switch (kind) {
    case 'enum':
      return { kind, values: [{ value: 0, label: '' }] };
    case 'bool':
      return { kind, yes: '', no: '' };
    case 'text':
      return { kind, maxLength: 64 };
    case 'date':
      return { kind };
    case 'struct':
      return { kind, fields: [newField()] };
    case 'array':
      return { kind, item: typeOf('int'), maxItems: 10 };
    default:
      return { kind, min: null, max: null, step: null, unit: null };
  }
}
export const newField = (): Draft => ({ id: '', name: '', dataType: typeOf('int') });
export const newEntry: Readonly<Record<ThingList, () => Draft>> = {
  properties: () => ({ ...newField(), access: 'rw' }),
  services: () => ({ id: '', name: '', input: [], output: [], sync: true }),
  events: () => ({ id: '', name: '', level: 'info', params: [] }),
};

/** What is wrong with a part, by the path of its place; another one of its list may have its identifier already. */
export const problemsOf = (list: ThingList, draft: Draft, others: readonly string[]): Problems => ({
  ...problemsIn(schemas[list], draft),
  ...(others.includes(String(draft.id)) ? { id: 'invalid.thingIdTwice' as const } : {}),
});

export function moved<T>(rows: readonly T[], from: number, to: number): T[] {
  const rest = rows.filter((_row, at) => at !== from);
  return [...rest.slice(0, to), rows[from] as T, ...rest.slice(to)];
}

/** The model with one of its lists put anew. */
export const withList = (model: ThingModel, list: ThingList, entries: readonly unknown[]): ThingModel =>
  ({ ...model, [list]: entries }) as ThingModel;
export const nothing = emptyModel;
