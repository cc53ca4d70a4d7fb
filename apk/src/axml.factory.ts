/** Test data: binary XML and its parts, as aapt writes them. */
export type Value = string | number | boolean | { readonly ref: number };
export interface Attribute {
  /** Number of the attribute in Android, or its name where it has none. */
  readonly id?: number;
  readonly name: string;
  readonly value: Value;
  /** It has its number, but not the namespace of those that have. */
  readonly isBare?: boolean;
}
export interface Element {
  readonly name: string;
  readonly attributes?: readonly Attribute[];
  readonly children?: readonly Element[];
}

const NONE = 0xffffffff;
const ANDROID = 'http://schemas.android.com/apk/res/android';

export const u16 = (...values: readonly number[]): Buffer => {
  const bytes = Buffer.alloc(2 * values.length);
  for (const [at, value] of values.entries()) bytes.writeUInt16LE(value, 2 * at);
  return bytes;
};
export const u32 = (...values: readonly number[]): Buffer => {
  const bytes = Buffer.alloc(4 * values.length);
  for (const [at, value] of values.entries()) bytes.writeUInt32LE(value >>> 0, 4 * at);
  return bytes;
};

/** A chunk: its type, the rest of its header, and what is in it. */
export const chunk = (type: number, header: Buffer, body: Buffer): Buffer =>
  Buffer.concat([u16(type, 8 + header.length), u32(8 + header.length + body.length), header, body]);

const utf8Length = (length: number): Buffer => (length < 0x80 ? Buffer.from([length]) : Buffer.from([0x80 | (length >> 8), length & 0xff]));

function packed(text: string, isUtf8: boolean): Buffer {
  if (!isUtf8) return Buffer.concat([u16(text.length), Buffer.from(text, 'utf16le'), u16(0)]);
  const bytes = Buffer.from(text);
  return Buffer.concat([utf8Length(text.length), utf8Length(bytes.length), bytes, Buffer.from([0])]);
}

export function stringPool(strings: readonly string[], isUtf8 = true): Buffer {
  const pieces = strings.map((text) => packed(text, isUtf8));
  let at = 0;
  const offsets = pieces.map(({ length }) => {
    at += length;
    return at - length;
  });
  const data = Buffer.concat([...pieces, Buffer.alloc((4 - (at % 4)) % 4)]);
  const start = 28 + 4 * strings.length;
  return chunk(0x0001, u32(strings.length, 0, isUtf8 ? 0x100 : 0, start, 0), Buffer.concat([u32(...offsets), data]));
}

/** Binary XML of an element. */
export function binaryXml(root: Element): Buffer {
  const ids = new Map<string, number>();
  const collect = (element: Element): void => {
    for (const { id, name } of element.attributes ?? []) if (id !== undefined) ids.set(name, id);
    for (const child of element.children ?? []) collect(child);
  };
  collect(root);
  const strings = [...ids.keys()];
  const indexOf = (text: string) => {
    const found = strings.indexOf(text);
    return found >= 0 ? found : strings.push(text) - 1;
  };
  const body = [
    chunk(0x0100, u32(1, NONE), u32(indexOf('android'), indexOf(ANDROID))),
    ...elementChunks(root, indexOf),
    chunk(0x0101, u32(1, NONE), u32(indexOf('android'), indexOf(ANDROID))),
  ];
  const map = chunk(0x0180, Buffer.alloc(0), u32(...ids.values()));
  return chunk(0x0003, Buffer.alloc(0), Buffer.concat([stringPool(strings, false), map, ...body]));
}

function typed(value: Value, indexOf: (text: string) => number): [raw: number, type: number, data: number] {
  if (typeof value === 'string') return [indexOf(value), 0x03, indexOf(value)];
  if (typeof value === 'boolean') return [NONE, 0x12, value ? NONE : 0];
  if (typeof value === 'number') return [NONE, 0x10, value];
  return [NONE, 0x01, value.ref];
}

function elementChunks({ name, attributes = [], children = [] }: Element, indexOf: (text: string) => number): Buffer[] {
  const written = attributes.map((one) => {
    const [raw, type, data] = typed(one.value, indexOf);
    const space = one.id === undefined || one.isBare ? NONE : indexOf(ANDROID);
    return Buffer.concat([u32(space, indexOf(one.name), raw), u16(8), Buffer.from([0, type]), u32(data)]);
  });
  const start = Buffer.concat([u32(NONE, indexOf(name)), u16(20, 20, attributes.length, 0, 0, 0), ...written]);
  return [
    chunk(0x0102, u32(1, NONE), start),
    ...children.flatMap((child) => elementChunks(child, indexOf)),
    chunk(0x0103, u32(1, NONE), u32(NONE, indexOf(name))),
  ];
}
