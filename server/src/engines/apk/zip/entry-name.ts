import { BrokenPackage } from '../broken.ts';

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
const MOST = 1024;
/** Absolute, of a drive, with a step upwards, of another system, or with what no person types. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
const outside = /^\/|^[a-z]:|(^|\/)\.\.?(\/|$)|\\|[\u0000-\u001f\u007f]/i;

/** The name of an entry, which leads nowhere outside of the archive. */
export function entryName(raw: Buffer): string {
  if (raw.length === 0 || raw.length > MOST) throw new BrokenPackage('ARCHIVE_NAME');
  const name = decoded(raw);
  if (name === undefined || outside.test(name)) throw new BrokenPackage('ARCHIVE_NAME');
  return name;
}

function decoded(raw: Buffer): string | undefined {
  try {
    return utf8.decode(raw);
  } catch {
    return undefined;
  }
}
