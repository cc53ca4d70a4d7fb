import type { PackageIcon } from '../api.ts';
import { BrokenPackage } from '../broken.ts';
import { entryBytes } from '../zip/entry-bytes.ts';
import type { Zip } from '../zip/read-zip.ts';
import { REFERENCE, TEXT, type Value, xmlElements } from './binary-xml.ts';
import type { ResourceTable } from './table.ts';

const MOST = 1024 * 1024;
const MOST_PARTS = 16;
const broken = () => new BrokenPackage('RESOURCES_BROKEN');
/** What a drawing in layers shows: `drawable`, and `src` of older ones. */
const layers = new Set([0x01010199, 0x01010119]);
const FOREGROUND = 'foreground';

interface Candidate {
  readonly path: string;
  readonly density: number;
}

/** The picture with the most dots; of an icon that is drawn in layers, that of a layer. Null where there is none. */
export function readIcon(zip: Zip, resources: ResourceTable, icons: readonly Value[]): PackageIcon | null {
  for (const icon of icons) {
    const found = best(zip, candidates(resources, icon)) ?? best(zip, layersOf(zip, resources, candidates(resources, icon)));
    if (found) return found;
  }
  return null;
}

function candidates(resources: ResourceTable, icon: Value): Candidate[] {
  if (icon.type === TEXT) return [{ path: icon.text ?? '', density: 0 }];
  if (icon.type !== REFERENCE) return [];
  return resources
    .all(icon.data)
    .flatMap(({ of, value }) => (value.type === TEXT ? [{ path: value.text ?? '', density: of.density }] : []));
}

function best(zip: Zip, all: readonly Candidate[]): PackageIcon | undefined {
  for (const { path } of all.toSorted((a, b) => b.density - a.density)) {
    const entry = zip.byName.get(path);
    if (!entry || entry.size > MOST || path.endsWith('.xml')) continue;
    const bytes = entryBytes(zip.source, entry, MOST, broken);
    const type = imageType(bytes);
    if (type) return { type, bytes };
  }
  return undefined;
}

/** By its first bytes: a name says nothing. */
function imageType(bytes: Buffer): PackageIcon['type'] | undefined {
  const starts = bytes.toString('latin1', 0, 12);
  if (starts.startsWith('\u0089PNG\r\n\u001a\n')) return 'image/png';
  if (starts.startsWith('\u00ff\u00d8\u00ff')) return 'image/jpeg';
  return /^RIFF.{4}WEBP$/s.test(starts) ? 'image/webp' : undefined;
}

/** The pictures that a drawing is made of, what is in front first. */
function layersOf(zip: Zip, resources: ResourceTable, drawings: readonly Candidate[]): Candidate[] {
  const drawn = drawings.find(({ path }) => path.endsWith('.xml'));
  const entry = drawn && zip.byName.get(drawn.path);
  if (!entry || entry.size > MOST) return [];
  const parts = [...xmlElements(entryBytes(zip.source, entry, MOST, broken), broken)]
    .slice(0, MOST_PARTS)
    .flatMap(({ name, attributes }) => attributes.filter(({ id }) => layers.has(id)).map(({ value }) => ({ name, value })));
  const inFront = parts.filter(({ name }) => name === FOREGROUND);
  for (const { value } of [...inFront, ...parts]) {
    const pictures = candidates(resources, value).filter(({ path }) => !path.endsWith('.xml'));
    if (pictures.length > 0) return pictures;
  }
  return [];
}
