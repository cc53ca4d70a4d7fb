import { isGiven, type ParamValue, type TemplateField, wrongValue } from './template-fields.ts';

/** Where values stand, from the top: organisations one below the other, then a merchant, a shop and the terminal itself. */
export const paramLevels = ['org', 'merchant', 'shop', 'device'] as const;
export type ParamLevelKind = (typeof paramLevels)[number];

export interface Place {
  readonly level: ParamLevelKind;
  readonly id: number;
  /** Empty where the reader doesn't see it. */
  readonly name: string;
}
export interface GivenAt {
  readonly place: Place;
  readonly values: Readonly<Record<string, unknown>>;
  readonly locked: readonly string[];
}
export type Source = Place | 'default' | 'none';
export interface Resolved {
  readonly value: ParamValue | null;
  readonly from: Source;
  readonly lockedBy: Place | null;
}

/** What stands under a key; nothing that every object has, such as `constructor`. */
export const ownValue = (values: GivenAt['values'], key: string): unknown => (Object.hasOwn(values, key) ? values[key] : undefined);

/** Whether a value stands that fits its field as the template has it now. */
export const isInForce = (field: TemplateField, value: unknown): value is ParamValue =>
  isGiven(value) && wrongValue(field, value) === undefined;

const start = ({ default: value }: TemplateField): Resolved =>
  value === null ? { value: null, from: 'none', lockedBy: null } : { value, from: 'default', lockedBy: null };

/** A place with those of its values alone that are in force. */
export interface InForceAt extends GivenAt {
  readonly values: Readonly<Record<string, ParamValue>>;
}
/** Judged once, however many terminals are below the place. */
export const inForceAt = (fields: readonly TemplateField[], { place, values, locked }: GivenAt): InForceAt => ({
  place,
  locked,
  values: Object.fromEntries(
    fields.flatMap((field) => {
      const value = ownValue(values, field.key);
      return isInForce(field, value) ? [[field.key, value] as const] : [];
    }),
  ),
});

/** The lowest value counts, down to whoever locks the field: what stands below a lock is kept and doesn't count. */
function resolveField(field: TemplateField, levels: readonly InForceAt[]): Resolved {
  let now = start(field);
  for (const { place, values, locked } of levels) {
    const value = ownValue(values, field.key) as ParamValue | undefined;
    if (value !== undefined) now = { ...now, value, from: place };
    if (locked.includes(field.key)) return { ...now, lockedBy: place };
  }
  return now;
}

/** What a terminal gets of a template, by key; `levels` from the top down, judged by the same fields. */
export const resolveJudged = (fields: readonly TemplateField[], levels: readonly InForceAt[]): ReadonlyMap<string, Resolved> =>
  new Map(fields.map((field) => [field.key, resolveField(field, levels)]));
export const resolve = (fields: readonly TemplateField[], levels: readonly GivenAt[]): ReadonlyMap<string, Resolved> =>
  resolveJudged(
    fields,
    levels.map((level) => inForceAt(fields, level)),
  );

/** Required fields that nobody gives a value. */
export const missingOf = (fields: readonly TemplateField[], result: ReadonlyMap<string, Resolved>): readonly TemplateField[] =>
  fields.filter(({ key, required }) => required && (result.get(key)?.value ?? null) === null);
