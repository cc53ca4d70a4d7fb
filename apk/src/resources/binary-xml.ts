import { Cursor } from '../cursor.ts';
import { chunksIn } from './chunks.ts';
import { readStringPool, STRINGS, type StringPool } from './string-pool.ts';

/** A value as it is compiled: a kind, and 32 bits; a text besides where it is one. */
export interface Value {
  readonly type: number;
  readonly data: number;
  readonly text: string | null;
}
export const REFERENCE = 0x01;
export const TEXT = 0x03;

export interface XmlAttribute {
  /** Its number in Android; 0: it has only its name. */
  readonly id: number;
  /** Its namespace; none: ''. */
  readonly space: string;
  readonly name: string;
  readonly value: Value;
}
export interface XmlElement {
  /** The root's is 1. */
  readonly depth: number;
  readonly name: string;
  /** The element around it. */
  readonly parent: string;
  readonly attributes: readonly XmlAttribute[];
}

const [XML, MAP, START, END] = [0x0003, 0x0180, 0x0102, 0x0103];
const MOST_DEPTH = 64;
const MOST_ELEMENTS = 100_000;
const MOST_ATTRIBUTES = 512;
const NONE = 0xffffffff;

interface Names {
  readonly strings: StringPool;
  readonly ids: readonly number[];
}

/** The elements of binary XML in their order. Attributes go by their numbers, as in Android: a name may be another's. */
export function* xmlElements(bytes: Buffer, wrong: () => Error): Generator<XmlElement> {
  const [root, ...others] = [...chunksIn(bytes, wrong)];
  if (root?.type !== XML || others.length > 0) throw wrong();
  let strings: StringPool | undefined;
  let ids: readonly number[] = [];
  const open: string[] = [];
  let count = 0;
  for (const chunk of chunksIn(root.body, wrong)) {
    if (chunk.type === STRINGS) strings ??= readStringPool(chunk.whole, wrong);
    else if (chunk.type === MAP) ids = numbersIn(chunk.body);
    else if (chunk.type === START) {
      count += 1;
      if (!strings || open.length === MOST_DEPTH || count > MOST_ELEMENTS) throw wrong();
      const read = readElement(chunk.body, { strings, ids }, wrong);
      const parent = open.at(-1) ?? '';
      open.push(read.name);
      yield { ...read, depth: open.length, parent };
    } else if (chunk.type === END && open.pop() === undefined) throw wrong();
  }
  if (count === 0 || open.length > 0) throw wrong();
}

function numbersIn(bytes: Buffer): number[] {
  const numbers: number[] = [];
  for (let at = 0; at + 4 <= bytes.length; at += 4) numbers.push(bytes.readUInt32LE(at));
  return numbers;
}

function readElement(body: Buffer, names: Names, wrong: () => Error): Pick<XmlElement, 'name' | 'attributes'> {
  const cursor = new Cursor(body, wrong, 4);
  const name = names.strings.at(cursor.u32());
  const [start, size, count] = [cursor.u16(), cursor.u16(), cursor.u16()];
  if (count > MOST_ATTRIBUTES || (count > 0 && size < 20)) throw wrong();
  const attributes: XmlAttribute[] = [];
  const seen = new Set<string | number>();
  for (let at = 0; at < count; at += 1) {
    const read = readAttribute(new Cursor(body, wrong, start + at * size), names);
    const named = `${read.space} ${read.name}`;
    // Of two that are the same one reader takes the first, and another one the last.
    if (seen.has(named) || (read.id !== 0 && seen.has(read.id))) throw wrong();
    seen.add(named).add(read.id);
    attributes.push(read);
  }
  return { name, attributes };
}

function readAttribute(cursor: Cursor, { strings, ids }: Names): XmlAttribute {
  const [space, index, raw] = [cursor.u32(), cursor.u32(), cursor.u32()];
  cursor.skip(3);
  const [type, data] = [cursor.u8(), cursor.u32()];
  const text = type === TEXT ? strings.at(data) : raw === NONE ? null : strings.at(raw);
  return { id: ids[index] ?? 0, space: space === NONE ? '' : strings.at(space), name: strings.at(index), value: { type, data, text } };
}
