import { type ThingEntry, type ThingList, type ThingModel, thingLists } from './thing-model.ts';
import type { DataType, ThingField } from './thing-types.ts';

/** What happened to a part of a model; `parts` names what of it, by the path inside it. */
export const partChanges = [
  'added',
  'removed',
  'renamed',
  'retyped',
  'narrowed',
  'widened',
  'readOnly',
  'writable',
  'level',
  'sync',
  'unit',
  'step',
  'moved',
] as const;
export type PartChange = (typeof partChanges)[number];

export interface ModelChange {
  readonly list: ThingList;
  /** Of the property, service or event; with what is inside it, `lamp.level`. */
  readonly at: string;
  readonly what: PartChange;
  /** What works with the model of before may fail with this one. */
  readonly breaking: boolean;
}

type Say = (what: PartChange, breaking: boolean, at?: string) => void;

const NARROW = 1;
const WIDE = 2;
/** Whether a limit became stricter, more generous or neither; none is the most generous. */
function limitMove(before: number | null, next: number | null, isUpper: boolean): number {
  if (before === next) return 0;
  const [old, now] = [before, next].map((limit) => limit ?? (isUpper ? Number.POSITIVE_INFINITY : Number.NEGATIVE_INFINITY)) as [
    number,
    number,
  ];
  return isUpper === now < old ? NARROW : WIDE;
}
function sayMoves(moves: readonly number[], say: Say): void {
  if (moves.includes(NARROW)) say('narrowed', true);
  else if (moves.includes(WIDE)) say('widened', false);
}

function numberChanges(old: Extract<DataType, { min: number | null }>, next: Extract<DataType, { min: number | null }>, say: Say): void {
  sayMoves([limitMove(old.min, next.min, false), limitMove(old.max, next.max, true)], say);
  // A figure without its unit, or with another one, means something else.
  if (old.unit !== next.unit) say('unit', true);
  const isFiner = next.step === null || (old.step !== null && Number.isInteger(old.step / next.step));
  if (old.step !== next.step) say('step', !isFiner);
}

function enumChanges(old: Extract<DataType, { kind: 'enum' }>, next: Extract<DataType, { kind: 'enum' }>, say: Say): void {
  const values = (type: typeof old) => new Set(type.values.map(({ value }) => value));
  const [before, now] = [values(old), values(next)];
  const gone = [...before].some((value) => !now.has(value));
  sayMoves([gone ? NARROW : 0, [...now].some((value) => !before.has(value)) ? WIDE : 0], say);
  const named = new Map(old.values.map(({ value, label }) => [value, label]));
  if (next.values.some(({ value, label }) => named.has(value) && named.get(value) !== label)) say('renamed', false);
}

/** `strict`: a further part that has to be given, or that nobody knows yet, breaks what goes by the model of before. */
function fieldChanges(old: readonly ThingField[], next: readonly ThingField[], say: Say, strict: boolean): void {
  const now = new Map(next.map((field) => [field.id, field]));
  const before = new Set(old.map(({ id }) => id));
  for (const field of old) {
    const same = now.get(field.id);
    if (!same) say('removed', true, field.id);
    else {
      const inside: Say = (what, breaking, at) => say(what, breaking, at === undefined ? field.id : `${field.id}.${at}`);
      if (same.name !== field.name) inside('renamed', false);
      typeChanges(field.dataType, same.dataType, inside);
    }
  }
  for (const { id } of next) if (!before.has(id)) say('added', strict, id);
}

function listChanges(old: Extract<DataType, { kind: 'array' }>, next: Extract<DataType, { kind: 'array' }>, say: Say): void {
  sayMoves([limitMove(old.maxItems, next.maxItems, true)], say);
  typeChanges(old.item, next.item, (what, breaking, at) => say(what, breaking, at === undefined ? '[]' : `[].${at}`));
}

function typeChanges(old: DataType, next: DataType, say: Say): void {
  if (old.kind !== next.kind) say('retyped', true);
  else if (old.kind === 'enum' && next.kind === 'enum') enumChanges(old, next, say);
  else if (old.kind === 'text' && next.kind === 'text') sayMoves([limitMove(old.maxLength, next.maxLength, true)], say);
  else if (old.kind === 'struct' && next.kind === 'struct') fieldChanges(old.fields, next.fields, say, true);
  else if (old.kind === 'array' && next.kind === 'array') listChanges(old, next, say);
  else if (old.kind === 'bool' && next.kind === 'bool') {
    if (old.yes !== next.yes || old.no !== next.no) say('renamed', false);
  } else if ('min' in old && 'min' in next) numberChanges(old, next, say);
}

function entryChanges(old: ThingEntry, next: ThingEntry, say: Say): void {
  if (old.name !== next.name) say('renamed', false);
  if ('access' in old && 'access' in next) {
    if (old.access !== next.access) say(next.access === 'r' ? 'readOnly' : 'writable', next.access === 'r');
    typeChanges(old.dataType, next.dataType, say);
  }
  if ('sync' in old && 'sync' in next) {
    if (old.sync !== next.sync) say('sync', true);
    const within =
      (part: string): Say =>
      (what, breaking, at) =>
        say(what, breaking, at === undefined ? part : `${part}.${at}`);
    fieldChanges(old.input, next.input, within('input'), true);
    fieldChanges(old.output, next.output, within('output'), false);
  }
  if ('level' in old && 'level' in next) {
    if (old.level !== next.level) say('level', false);
    fieldChanges(old.params, next.params, say, false);
  }
}

/** What became of a model, part by part, and which of it breaks what goes by the one of before. */
export function modelChanges(old: ThingModel, next: ThingModel): ModelChange[] {
  const changes: ModelChange[] = [];
  for (const list of thingLists) {
    const now = new Map<string, ThingEntry>(next[list].map((entry) => [entry.id, entry]));
    const before = new Set<string>(old[list].map(({ id }) => id));
    for (const entry of old[list] as readonly ThingEntry[]) {
      const same = now.get(entry.id);
      const say: Say = (what, breaking, at) =>
        changes.push({ list, at: at === undefined ? entry.id : `${entry.id}.${at}`.replace('.[]', '[]'), what, breaking });
      if (same) entryChanges(entry, same, say);
      else say('removed', true);
    }
    for (const { id } of next[list]) if (!before.has(id)) changes.push({ list, at: id, what: 'added', breaking: false });
    const order = (entries: readonly { id: string }[], others: ReadonlySet<string>) =>
      entries.flatMap(({ id }) => (others.has(id) ? [id] : [])).join(' ');
    if (order(old[list], new Set(now.keys())) !== order(next[list], before)) changes.push({ list, at: '', what: 'moved', breaking: false });
  }
  return changes;
}
