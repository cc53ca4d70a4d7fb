import { chunk, stringPool, u16, u32 } from './axml.factory.ts';

/** Test data: a table of resources. One type of texts, in languages, and one of pictures, by density. */
export interface Resources {
  readonly packageName: string;
  /** By language; '' is the one of every other. */
  readonly labels: Readonly<Record<string, string>>;
  /** Paths of pictures in the package, by density (dpi). */
  readonly icons: ReadonlyMap<number, string>;
}

export const LABEL = 0x7f010000;
export const ICON = 0x7f020000;

/** A configuration: its language and region, and its density. */
function config(language: string, density: number): Buffer {
  const bytes = Buffer.alloc(64);
  bytes.writeUInt32LE(64, 0);
  const parts = language.split('-');
  const [lang = ''] = parts;
  bytes.write(lang, 8, 2, 'latin1');
  const region = parts.find((part, at) => at > 0 && /^[A-Z]{2}$/.test(part));
  if (region) bytes.write(region, 10, 2, 'latin1');
  const script = parts.find((part) => part.length === 4);
  if (script) bytes.write(script, 36, 4, 'latin1');
  bytes.writeUInt16LE(density, 14);
  return bytes;
}

function type(id: number, configuration: Buffer, value: number): Buffer {
  const entry = Buffer.concat([u16(8, 0), u32(id - 1), u16(8), Buffer.from([0, 0x03]), u32(value)]);
  const header = Buffer.concat([Buffer.from([id, 0, 0, 0]), u32(1, 20 + configuration.length + 4), configuration]);
  return chunk(0x0201, header, Buffer.concat([u32(0), entry]));
}

const spec = (id: number) => chunk(0x0202, Buffer.concat([Buffer.from([id, 0, 0, 0]), u32(1)]), u32(0));

export function resourceTable({ packageName, labels, icons }: Resources): Buffer {
  const languages = Object.keys(labels);
  const values = [...Object.values(labels), ...icons.values()];
  const name = Buffer.alloc(256);
  name.write(packageName, 0, 254, 'utf16le');
  const [types, keys] = [stringPool(['string', 'mipmap'], false), stringPool(['app_name', 'ic_launcher'])];
  const body = [
    types,
    keys,
    spec(1),
    ...languages.map((language, at) => type(1, config(language, 0), at)),
    ...(icons.size > 0 ? [spec(2)] : []),
    ...[...icons.keys()].map((density, at) => type(2, config('', density), languages.length + at)),
  ];
  const header = Buffer.concat([u32(0x7f), name, u32(288, 2, 288 + types.length, 2, 0)]);
  const table = Buffer.concat([stringPool(values), chunk(0x0200, header, Buffer.concat(body))]);
  return chunk(0x0002, u32(1), table);
}
