/** Where bytes that deflate made lie in an archive. */
export interface PackedEntry {
  readonly at: number;
  readonly packed: number;
  readonly size: number;
}

const END = 0x06054b50;
const HEADER = 0x02014b50;
const LOCAL = 0x04034b50;
const MOST_COMMENT = 0xffff;

/** The packed files of an archive in the order in which they lie. Of one that can't be read: none, and it is taken as it is. */
export function packedEntries(bytes: Uint8Array): PackedEntry[] {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const end = endOf(view);
  if (end === undefined) return [];
  const found: PackedEntry[] = [];
  let at = view.getUint32(end + 16, true);
  for (let left = view.getUint16(end + 10, true); left > 0; left -= 1) {
    if (at + 46 > end || view.getUint32(at, true) !== HEADER) return [];
    const entry = packedAt(view, at);
    if (entry) found.push(entry);
    at += 46 + view.getUint16(at + 28, true) + view.getUint16(at + 30, true) + view.getUint16(at + 32, true);
  }
  found.sort((a, b) => a.at - b.at);
  // What overlaps is no archive of ours.
  return found.every((one, index) => index === 0 || (found[index - 1]?.at ?? 0) + (found[index - 1]?.packed ?? 0) <= one.at) ? found : [];
}

function endOf(view: DataView): number | undefined {
  const least = Math.max(0, view.byteLength - 22 - MOST_COMMENT);
  for (let at = view.byteLength - 22; at >= least; at -= 1) if (view.getUint32(at, true) === END) return at;
  return undefined;
}

const DEFLATED = 8;

function packedAt(view: DataView, at: number): PackedEntry | undefined {
  const [packed, size, local] = [view.getUint32(at + 20, true), view.getUint32(at + 24, true), view.getUint32(at + 42, true)];
  if (view.getUint16(at + 10, true) !== DEFLATED || packed === 0 || local + 30 > view.byteLength) return undefined;
  if (view.getUint32(local, true) !== LOCAL) return undefined;
  const data = local + 30 + view.getUint16(local + 26, true) + view.getUint16(local + 28, true);
  return data + packed <= view.byteLength ? { at: data, packed, size } : undefined;
}
