import { Cursor } from '../cursor.ts';
import { REFERENCE, TEXT, type Value } from './binary-xml.ts';
import { chunksIn } from './chunks.ts';
import { type Configuration, readConfiguration } from './configuration.ts';
import { readStringPool, STRINGS, type StringPool } from './string-pool.ts';

/** What a resource is in one configuration. */
export interface Resource {
  readonly of: Configuration;
  readonly value: Value;
}

/** The resources of a package. Only what is asked for is read. */
export interface ResourceTable {
  /** All that a resource is, references followed to their end. */
  all(id: number): Resource[];
}

export const noResources: ResourceTable = { all: () => [] };

interface Type {
  readonly of: Configuration;
  readonly flags: number;
  readonly count: number;
  /** The whole chunk, where its offsets begin in it, and its entries. */
  readonly whole: Buffer;
  readonly offsetsAt: number;
  readonly entriesAt: number;
}

const [TABLE, PACKAGE, TYPE] = [0x0002, 0x0200, 0x0201];
const MOST_TYPES = 50_000;
const MOST_DEPTH = 8;
/** Of one resource, in all of its configurations and what they refer to: each may refer to many, and they to many more. */
const MOST_LOOKED_INTO = 10_000;
const [SPARSE, SHORT] = [0x01, 0x02];
const [COMPLEX, COMPACT] = [0x0001, 0x0008];

export function readResourceTable(bytes: Buffer, wrong: () => Error): ResourceTable {
  const [root] = [...chunksIn(bytes, wrong)];
  if (root?.type !== TABLE) throw wrong();
  let strings: StringPool | undefined;
  const types = new Map<number, Type[]>();
  let count = 0;
  for (const chunk of chunksIn(root.body, wrong)) {
    if (chunk.type === STRINGS) strings ??= readStringPool(chunk.whole, wrong);
    if (chunk.type !== PACKAGE) continue;
    const id = new Cursor(chunk.header, wrong).u32();
    for (const inner of chunksIn(chunk.body, wrong)) {
      if (inner.type !== TYPE) continue;
      count += 1;
      if (count > MOST_TYPES) throw wrong();
      const key = (id << 8) | (inner.header[0] ?? 0);
      const same = types.get(key) ?? [];
      same.push(readType(inner.whole, inner.header, wrong));
      types.set(key, same);
    }
  }
  return { all: (id) => follow(id, types, strings, wrong) };
}

function readType(whole: Buffer, header: Buffer, wrong: () => Error): Type {
  const cursor = new Cursor(header, wrong, 1);
  const flags = cursor.u8();
  cursor.skip(2);
  const [count, entriesAt] = [cursor.u32(), cursor.u32()];
  const of = readConfiguration(new Cursor(cursor.selfPrefixed(), wrong));
  return { of, flags, count, whole, offsetsAt: 8 + header.length, entriesAt };
}

function follow(id: number, types: ReadonlyMap<number, readonly Type[]>, strings: StringPool | undefined, wrong: () => Error): Resource[] {
  const found: Resource[] = [];
  const seen = new Set<number>();
  let looked = 0;
  const visit = (one: number, outer: Configuration | undefined, depth: number): void => {
    if (depth > MOST_DEPTH || seen.has(one)) return;
    seen.add(one);
    for (const type of types.get(one >>> 16) ?? []) {
      looked += 1;
      if (looked > MOST_LOOKED_INTO) throw wrong();
      const value = valueIn(type, one & 0xffff, wrong);
      if (!value) continue;
      // A German text may be the same in every language of what it refers to, and the other way round.
      const of = outer && type.of.language === '' ? { ...type.of, language: outer.language } : type.of;
      if (value.type === REFERENCE) visit(value.data, of, depth + 1);
      else found.push({ of, value: value.type === TEXT && strings ? { ...value, text: strings.at(value.data) } : value });
    }
    seen.delete(one);
  };
  visit(id, undefined, 0);
  return found;
}

function valueIn(type: Type, index: number, wrong: () => Error): Value | undefined {
  const offset = offsetOf(type, index, wrong);
  if (offset === undefined) return undefined;
  const cursor = new Cursor(type.whole, wrong, type.entriesAt + offset);
  const [size, flags] = [cursor.u16(), cursor.u16()];
  if (flags & COMPACT) return { type: flags >> 8, data: cursor.u32(), text: null };
  if (flags & COMPLEX) return undefined;
  const value = new Cursor(type.whole, wrong, type.entriesAt + offset + size + 3);
  return { type: value.u8(), data: value.u32(), text: null };
}

function offsetOf({ whole, flags, count, offsetsAt }: Type, index: number, wrong: () => Error): number | undefined {
  if (flags & SPARSE) return sparseOffset(new Cursor(whole, wrong, offsetsAt), count, index);
  if (index >= count) return undefined;
  if (flags & SHORT) {
    const short = new Cursor(whole, wrong, offsetsAt + 2 * index).u16();
    return short === 0xffff ? undefined : 4 * short;
  }
  const offset = new Cursor(whole, wrong, offsetsAt + 4 * index).u32();
  return offset === 0xffffffff ? undefined : offset;
}

/** Of a type that has few of its entries: pairs of a number and a place. */
function sparseOffset(cursor: Cursor, count: number, index: number): number | undefined {
  for (let at = 0; at < count; at += 1) {
    const [one, offset] = [cursor.u16(), cursor.u16()];
    if (one === index) return 4 * offset;
  }
  return undefined;
}
