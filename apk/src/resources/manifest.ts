import { BrokenPackage } from '../broken.ts';
import { REFERENCE, TEXT, type Value, type XmlAttribute, type XmlElement, xmlElements } from './binary-xml.ts';
import type { ResourceTable } from './table.ts';

/** What the manifest says, references not yet followed. */
export interface Manifest {
  readonly packageName: string;
  readonly versionCode: number;
  readonly versionName: string;
  readonly minSdk: number;
  readonly targetSdk: number;
  readonly maxSdk: number | null;
  /** Whose user it runs as, where that isn't its own: `android.uid.system` is the system's. None is ''. */
  readonly sharedUser: string;
  readonly permissions: readonly string[];
  readonly features: readonly string[];
  readonly label: Value | undefined;
  readonly icons: readonly Value[];
  readonly debuggable: boolean;
  readonly testOnly: boolean;
  /** Asks for the stricter sandbox, which a v1 signature alone doesn't get. */
  readonly isSandboxed: boolean;
}

/** Numbers of the attributes in Android. */
const attribute = {
  label: 0x01010001,
  icon: 0x01010002,
  name: 0x01010003,
  sharedUser: 0x0101000b,
  debuggable: 0x0101000f,
  minSdk: 0x0101020c,
  versionCode: 0x0101021b,
  versionName: 0x0101021c,
  targetSdk: 0x01010270,
  maxSdk: 0x01010271,
  testOnly: 0x01010272,
  required: 0x0101028e,
  targetSandboxVersion: 0x0101054c,
  roundIcon: 0x0101052c,
  versionCodeMajor: 0x01010576,
  isSplitRequired: 0x01010591,
  requiredSplitTypes: 0x0101064e,
};
/** By any of its names, as Android knows them. */
const asksFor: ReadonlySet<string> = new Set(['uses-permission', 'uses-permission-sdk-m', 'uses-permission-sdk-23']);
const MOST_NAMES = 2000;
const MOST_NAME = 255;
const MOST_SDK = 10_000;
const broken = () => new BrokenPackage('MANIFEST_BROKEN');
/** As Android has it: parts of letters, digits and underscores, two at least; its own is the exception. */
const packageName = /^([A-Za-z]\w*(\.[A-Za-z]\w*)+|android)$/;
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
const control = /[\u0000-\u001f\u007f]/;

export function readManifest(bytes: Buffer, resources: ResourceTable): Manifest {
  const elements = [...xmlElements(bytes, broken)];
  const [root, ...inner] = elements;
  if (root?.name !== 'manifest' || inner.some(({ depth }) => depth === 1)) throw broken();
  const below = inner.filter(({ depth }) => depth === 2);
  if (plain(root, 'split') !== undefined) throw new BrokenPackage('MANIFEST_SPLIT');
  const reader = readerOf(resources);
  if (needsSplits(root, reader)) throw new BrokenPackage('MANIFEST_SPLIT');
  const application = below.find(({ name }) => name === 'application');
  return {
    packageName: nameOf(root),
    ...versionOf(root, reader),
    ...sdksOf(below, reader),
    sharedUser: sharedUserOf(root, reader),
    permissions: namesOf(
      below.filter(({ name }) => asksFor.has(name)),
      reader,
    ),
    features: namesOf(
      below.filter((one) => one.name === 'uses-feature' && reader.flag(one, attribute.required, true)),
      reader,
    ),
    label: valueAt(application, attribute.label) ?? valueAt(root, attribute.label),
    icons: [valueAt(application, attribute.icon), valueAt(application, attribute.roundIcon)].filter((one) => one !== undefined),
    debuggable: reader.flag(application, attribute.debuggable, false),
    testOnly: reader.flag(application, attribute.testOnly, false),
    isSandboxed: (reader.number(root, attribute.targetSandboxVersion, broken) ?? 1) > 1,
  };
}

const valueAt = (element: XmlElement | undefined, id: number): Value | undefined =>
  element?.attributes.find((one: XmlAttribute) => one.id === id)?.value;
/** Of an attribute that Android looks for by its name: one of no namespace, whatever its number. */
const plain = (element: XmlElement, name: string): string | undefined =>
  element.attributes.find((one) => one.space === '' && one.name === name)?.value.text ?? undefined;

/** The first of a split package: Android installs it with the other parts alone. */
const needsSplits = (root: XmlElement, reader: Reader): boolean =>
  reader.flag(root, attribute.isSplitRequired, false) || (reader.text(root, attribute.requiredSplitTypes) ?? '').trim() !== '';

function sharedUserOf(root: XmlElement, reader: Reader): string {
  const name = reader.text(root, attribute.sharedUser) ?? '';
  if (name.length > MOST_NAME || control.test(name)) throw broken();
  return name;
}

function nameOf(root: XmlElement): string {
  const name = plain(root, 'package') ?? '';
  if (name.length > 223 || !packageName.test(name)) throw new BrokenPackage('MANIFEST_NAME');
  return name;
}

interface Reader {
  text(element: XmlElement | undefined, id: number): string | undefined;
  number(element: XmlElement | undefined, id: number, wrong: () => Error): number | undefined;
  flag(element: XmlElement | undefined, id: number, otherwise: boolean): boolean;
}

/** Values, or what they refer to. */
function readerOf(resources: ResourceTable): Reader {
  const end = (element: XmlElement | undefined, id: number): Value | undefined => {
    const value = valueAt(element, id);
    return value?.type === REFERENCE ? resources.all(value.data)[0]?.value : value;
  };
  return {
    text: (element, id) => {
      const value = end(element, id);
      if (value === undefined) return undefined;
      if (value.type === TEXT) return value.text ?? undefined;
      return isNumber(value) ? String(value.data) : undefined;
    },
    number: (element, id, wrong) => {
      const value = end(element, id);
      if (value === undefined) return undefined;
      if (isNumber(value)) return value.data;
      if (value.type === TEXT && /^\d{1,9}$/.test(value.text ?? '')) return Number(value.text);
      throw wrong();
    },
    flag: (element, id, otherwise) => {
      const value = end(element, id);
      if (value === undefined) return otherwise;
      return value.type === TEXT ? value.text === 'true' : value.data !== 0;
    },
  };
}

/** Decimal, hexadecimal, and the like. */
const isNumber = ({ type }: Value) => type >= 0x10 && type <= 0x1f;

function versionOf(root: XmlElement, reader: Reader): Pick<Manifest, 'versionCode' | 'versionName'> {
  const wrong = () => new BrokenPackage('MANIFEST_VERSION');
  const code = reader.number(root, attribute.versionCode, wrong) ?? 0;
  const major = reader.number(root, attribute.versionCodeMajor, wrong) ?? 0;
  const versionCode = major * 2 ** 32 + code;
  const versionName = reader.text(root, attribute.versionName) ?? '';
  if (!Number.isSafeInteger(versionCode) || versionName.length > MOST_NAME || control.test(versionName)) throw wrong();
  return { versionCode, versionName };
}

function sdksOf(below: readonly XmlElement[], reader: Reader): Pick<Manifest, 'minSdk' | 'targetSdk' | 'maxSdk'> {
  const wrong = () => new BrokenPackage('MANIFEST_SDK');
  const uses = below.filter(({ name }) => name === 'uses-sdk');
  const last = (id: number) => uses.map((one) => reader.number(one, id, wrong)).findLast((one) => one !== undefined);
  const minSdk = last(attribute.minSdk) || 1;
  const targetSdk = last(attribute.targetSdk) || minSdk;
  const maxSdk = last(attribute.maxSdk) || null;
  if ([minSdk, targetSdk, maxSdk ?? 1].some((sdk) => sdk > MOST_SDK) || (maxSdk ?? MOST_SDK) < minSdk) throw wrong();
  return { minSdk, targetSdk, maxSdk };
}

function namesOf(elements: readonly XmlElement[], reader: Reader): string[] {
  const names = new Set(elements.map((one) => reader.text(one, attribute.name) ?? '').filter((name) => name !== ''));
  if (names.size > MOST_NAMES) throw new BrokenPackage('MANIFEST_LARGE');
  if ([...names].some((name) => name.length > MOST_NAME || control.test(name))) throw broken();
  return [...names];
}
