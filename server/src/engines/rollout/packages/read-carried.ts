import { Carried } from '@mooring/contract/engines/rollout/package-calls';
import { bytesAt, type Stored, textInArchive } from '../../../platform/work/archive-text.ts';

/** The header of the documented container: `MFW1`, the length of its JSON in two bytes, and that (docs/packages.md). */
const CONTAINER = Buffer.from('MFW1');
const ZIP = Buffer.from('PK');
const OWN = 'pkg.json';
const ANDROID = 'META-INF/com/android/metadata';
const HEADER = CONTAINER.length + 2;

const saysAnything = ({ product, version, build }: Carried): boolean => [product, version, build].some((one) => one !== null);

const own = (text: string, from: 'pkg.json' | 'container'): Carried | undefined => {
  let said: unknown;
  try {
    said = JSON.parse(text);
  } catch {
    return undefined;
  }
  const read = Carried.safeParse({ ...(typeof said === 'object' ? said : {}), from });
  return read.success && saysAnything(read.data) ? read.data : undefined;
};

/** An update of Android: for which devices, and what it makes of them. Its version is the build's, which is nobody's name of a release. */
function android(text: string): Carried | undefined {
  const values = new Map(
    text.split(/\r?\n/).flatMap((line) => {
      const at = line.indexOf('=');
      return at > 0 ? [[line.slice(0, at).trim(), line.slice(at + 1).trim()] as const] : [];
    }),
  );
  const read = Carried.safeParse({
    product: values.get('pre-device') ?? values.get('post-device') ?? null,
    version: null,
    build: values.get('post-build') ?? values.get('post-build-incremental') ?? null,
    from: 'android',
  });
  return read.success && saysAnything(read.data) ? read.data : undefined;
}

/**
 * What a firmware file says of itself: by `pkg.json` or Android's update metadata in an archive, or by the header of the documented container.
 * Undefined where it says nothing that can be read; nothing of it is trusted beyond being compared with what a person wrote.
 */
export async function readCarried(file: Stored): Promise<Carried | undefined> {
  try {
    const begins = await bytesAt(file, 0, HEADER);
    if (begins.subarray(0, CONTAINER.length).equals(CONTAINER) && begins.length === HEADER)
      return own((await bytesAt(file, HEADER, begins.readUInt16BE(CONTAINER.length))).toString('utf8'), 'container');
    if (!begins.subarray(0, ZIP.length).equals(ZIP)) return undefined;
    const text = await textInArchive(file, [OWN, ANDROID]);
    if (!text) return undefined;
    return text.name === OWN ? own(text.text, 'pkg.json') : android(text.text);
  } catch {
    // It begins like an archive and is none that can be read: it says nothing.
    return undefined;
  }
}
