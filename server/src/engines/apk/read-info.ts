import type { PackageInfo } from './api.ts';
import { BrokenPackage } from './broken.ts';
import { REFERENCE, TEXT, type Value } from './resources/binary-xml.ts';
import { readIcon } from './resources/icon.ts';
import { readManifest } from './resources/manifest.ts';
import { noResources, type ResourceTable, readResourceTable } from './resources/table.ts';
import type { SignedFor } from './signature/verdict.ts';
import { entryBytes } from './zip/entry-bytes.ts';
import type { Zip } from './zip/read-zip.ts';

const MOST_MANIFEST = 8 * 1024 * 1024;
const MOST_TABLE = 32 * 1024 * 1024;
const MOST_LABEL = 255;
const MOST_LABELS = 300;
export const MANIFEST_FILE = 'AndroidManifest.xml';

/** What a package says of itself, and what that asks of its signature. */
export function readInfo(zip: Zip): { readonly info: PackageInfo; readonly asks: SignedFor } {
  const file = zip.byName.get(MANIFEST_FILE);
  if (!file) throw new BrokenPackage('MANIFEST_MISSING');
  const bytes = entryBytes(zip.source, file, MOST_MANIFEST, () => new BrokenPackage('MANIFEST_LARGE'));
  const resources = tableOf(zip);
  const { label, icons, permissions, features, isSandboxed, ...said } = readManifest(bytes, resources);
  const labels = labelsOf(label, resources);
  const info = {
    ...said,
    permissions: [...permissions],
    features: [...features],
    abis: abisOf(zip),
    label: labels[''] ?? Object.values(labels)[0] ?? said.packageName,
    labels,
    icon: readIcon(zip, resources, icons),
  };
  return { info, asks: { minSdk: said.minSdk, targetSdk: said.targetSdk, isSandboxed, isJar: false } };
}

function tableOf(zip: Zip): ResourceTable {
  const file = zip.byName.get('resources.arsc');
  if (!file) return noResources;
  const bytes = entryBytes(zip.source, file, MOST_TABLE, () => new BrokenPackage('RESOURCES_LARGE'));
  return readResourceTable(bytes, () => new BrokenPackage('RESOURCES_BROKEN'));
}

const abisOf = ({ entries }: Zip): string[] =>
  [...new Set(entries.flatMap(({ name }) => /^lib\/([\w.-]{1,40})\/[^/]+\.so$/.exec(name)?.[1] ?? []))].sort();

function labelsOf(label: Value | undefined, resources: ResourceTable): Record<string, string> {
  if (label === undefined) return {};
  const all = label.type === REFERENCE ? resources.all(label.data) : [{ of: { language: '' }, value: label }];
  const labels: Record<string, string> = {};
  for (const { of, value } of all.slice(0, MOST_LABELS)) {
    const text = value.type === TEXT ? shown(value.text ?? '') : '';
    if (text !== '' && !Object.hasOwn(labels, of.language)) labels[of.language] = text;
  }
  return labels;
}

/** On one line, and no longer than a list shows. */
const shown = (text: string) =>
  text
    .toWellFormed()
    // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is taken out
    .replace(/[\u0000-\u001f\u007f]+/g, ' ')
    .trim()
    .slice(0, MOST_LABEL)
    .toWellFormed();
