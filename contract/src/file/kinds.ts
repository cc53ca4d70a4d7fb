/** One row a file kind of specification section 9: what it may be called, begin with, weigh, and who may upload it. */
export interface FileKind {
  readonly code: string;
  readonly name: string;
  readonly extensions: readonly string[];
  /** Hexadecimal beginnings; empty where the kind has none of its own. */
  readonly magic: readonly string[];
  readonly maxBytes: number;
  /** Permission of the uploader; any one of them. */
  readonly can: string;
  /** Pictures are drawn anew, so that nothing but pixels stays (design 5, "Input"). */
  readonly isPicture: boolean;
}

const MB = 1024 * 1024;
const GB = 1024 * MB;
const zip = ['504b0304'];
const gzip = ['1f8b'];
const pictures = {
  extensions: ['png', 'jpg', 'jpeg', 'webp'],
  magic: ['89504e470d0a1a0a', 'ffd8ff', '52494646'],
  isPicture: true,
} as const;

const kind = (
  code: string,
  name: string,
  of: Partial<FileKind> & Pick<FileKind, 'extensions' | 'magic' | 'maxBytes' | 'can'>,
): FileKind => ({ isPicture: false, ...of, code, name });

/** The kind of every picture that people show others. */
export const PICTURE = '1';
/** What hangs on a text that people write, whatever it is. */
export const ATTACHMENT = '8';

/** File kinds 1 to 9, and those that came later. */
export const fileKinds: readonly FileKind[] = [
  kind(PICTURE, 'image', { ...pictures, maxBytes: 10 * MB, can: 'session' }),
  kind('2', 'watermarkImage', { ...pictures, maxBytes: 10 * MB, can: 'session' }),
  kind('3', 'jar', { extensions: ['jar'], magic: zip, maxBytes: 200 * MB, can: 'session' }),
  kind('4', 'apk', { extensions: ['apk'], magic: zip, maxBytes: 2 * GB, can: 'session' }),
  kind('5', 'firmware', {
    extensions: ['zip', 'tar', 'tgz', 'gz', 'bin', 'img', 'zst'],
    magic: [...zip, ...gzip, '28b52ffd', '75737461'],
    maxBytes: 8 * GB,
    can: 'firmware:package:add||patch:package:add',
  }),
  kind('6', 'module', { extensions: ['zip', 'tgz', 'gz', 'bin'], magic: [...zip, ...gzip], maxBytes: 2 * GB, can: 'module:package:add' }),
  kind('7', 'firmwareRaw', {
    extensions: ['zip', 'tar', 'tgz', 'gz', 'bin', 'img', 'zst', 'hex', 'dat'],
    magic: [],
    maxBytes: 8 * GB,
    can: 'firmware:package:add||patch:package:add',
  }),
  kind(ATTACHMENT, 'attachment', {
    extensions: ['pdf', 'txt', 'csv', 'xlsx', 'docx', 'zip', 'png', 'jpg', 'jpeg', 'webp', 'log', 'json'],
    magic: [],
    maxBytes: 100 * MB,
    can: 'session',
  }),
  kind('9', 'paramFile', { extensions: ['zip', 'xml', 'json', 'ini', 'txt', 'dat'], magic: [], maxBytes: 50 * MB, can: 'session' }),
  /** Beyond the specification's nine: what terminals play. */
  kind('10', 'video', { extensions: ['mp4'], magic: ['66747970'], maxBytes: 100 * MB, can: 'desktop:advert:add||desktop:advert:update' }),
  /** What developers build with. */
  kind('11', 'sdk', {
    extensions: ['zip', 'aar', 'jar', 'tgz', 'gz', 'pdf'],
    magic: [...zip, ...gzip, '25504446'],
    maxBytes: 2 * GB,
    can: 'app:sdk:manage',
  }),
];
export const kindOf = (code: string): FileKind | undefined => fileKinds.find((one) => one.code === code);
export const extensionOf = (name: string): string => (/\.([A-Za-z0-9]{1,8})$/.exec(name)?.[1] ?? '').toLowerCase();

/** What doesn't begin with it: tar says what it is at byte 257, MP4 behind the length of its first box. */
const places: Readonly<Record<string, number>> = { '75737461': 257, '66747970': 4 };
/** Bin and img may begin with anything. */
const bare = new Set(['bin', 'img']);

/** Whether the beginning of a file fits what it claims to be. Needs the first 512 bytes. */
export function isGenuine(kind: FileKind, name: string, head: Uint8Array): boolean {
  const hex = (from: number, length: number) =>
    [...head.subarray(from, from + length)].map((byte) => byte.toString(16).padStart(2, '0')).join('');
  if (kind.magic.length === 0 || bare.has(extensionOf(name))) return true;
  return kind.magic.some((magic) => hex(places[magic] ?? 0, magic.length / 2) === magic);
}

/** Section 9: parts of 1 MB times 1 for the default object store, otherwise times 5 (ADR 17); files below one part go up in one call. */
export const partSize = (source: string): number => (source === 'default' ? 1 : 5) * MB;
