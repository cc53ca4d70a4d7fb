import { WrongSignature } from '../broken.ts';

/** One section of a manifest: its attributes, and its bytes as they are signed, the empty line behind it among them. */
export interface Section {
  readonly bytes: Buffer;
  readonly attributes: ReadonlyMap<string, string>;
}
export interface JarManifest {
  readonly main: Section;
  /** By the name of the file. */
  readonly files: ReadonlyMap<string, Section>;
}

const MOST_SECTIONS = 40_000;
const [LF, CR, SPACE] = [10, 13, 32];
const wrong = () => new WrongSignature('MANIFEST_WRONG');

/** Reads MANIFEST.MF, or a signature file, which is written alike. */
export function readJarManifest(bytes: Buffer): JarManifest {
  const sections = [...sectionsOf(bytes)];
  const [main, ...others] = sections;
  if (!main) throw wrong();
  const files = new Map<string, Section>();
  for (const section of others) {
    const name = section.attributes.get('name');
    // Each of its lines is one of the list: a file that is named twice would be signed as two.
    if (name === undefined || files.has(name)) throw wrong();
    files.set(name, section);
  }
  return { main, files };
}

function* sectionsOf(bytes: Buffer): Generator<Section> {
  let [from, count] = [0, 0];
  let lines: Buffer[] = [];
  for (let at = 0; at < bytes.length; ) {
    const [end, next] = lineEnd(bytes, at);
    const line = bytes.subarray(at, end);
    at = next;
    if (line.length > 0) {
      lines.push(line);
      if (at < bytes.length) continue;
    } else if (lines.length === 0) {
      // More empty lines than one belong to no section.
      from = at;
      continue;
    }
    count += 1;
    if (count > MOST_SECTIONS) throw wrong();
    yield { bytes: bytes.subarray(from, at), attributes: attributesOf(lines) };
    lines = [];
    from = at;
  }
}

/** Where the line ends, and where the next one begins: behind CR, LF, or both. */
function lineEnd(bytes: Buffer, at: number): [end: number, next: number] {
  let end = at;
  while (end < bytes.length && bytes[end] !== LF && bytes[end] !== CR) end += 1;
  const isBoth = bytes[end] === CR && bytes[end + 1] === LF;
  return [end, Math.min(bytes.length, end + (isBoth ? 2 : 1))];
}

function attributesOf(lines: readonly Buffer[]): Map<string, string> {
  const whole: Buffer[][] = [];
  for (const line of lines) {
    // A line that begins with a space goes on with the one before it.
    const before = whole.at(-1);
    if (line[0] !== SPACE) whole.push([line]);
    else if (before) before.push(line.subarray(1));
    else throw wrong();
  }
  const attributes = new Map<string, string>();
  for (const pieces of whole) {
    const text = Buffer.concat(pieces).toString('utf8');
    const colon = text.indexOf(': ');
    const name = text.slice(0, Math.max(0, colon)).toLowerCase();
    if (colon <= 0 || attributes.has(name)) throw wrong();
    attributes.set(name, text.slice(colon + 2));
  }
  return attributes;
}
