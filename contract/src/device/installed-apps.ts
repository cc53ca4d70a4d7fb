import { z } from 'zod';
import { AppPackage, Sha256 } from './manifest.ts';

/** Apps that a terminal names at most. */
const MOST_APPS = 300;
/** As much as a package may say of itself. */
const MOST_TEXT = 255;

/** An installed app: `version` is its name, `code` orders its versions, `certificate` is the SHA-256 of the one that signed it. */
const InstalledApp = z.object({
  id: AppPackage,
  name: z.string().max(MOST_TEXT).optional(),
  version: z.string().max(MOST_TEXT),
  code: z.int().min(0).optional(),
  certificate: Sha256.optional(),
  /** The terminal can’t do without it. */
  system: z.boolean().optional(),
});

/** Without what no database keeps as text, and not longer than there is room; no character is cut in half. */
const cut = (value: unknown): unknown =>
  typeof value === 'string'
    ? value
        .replaceAll('\0', '')
        .toWellFormed()
        .slice(0, MOST_TEXT)
        .replace(/[\ud800-\udbff]$/, '')
    : value;

function readableApp(value: unknown): unknown[] {
  if (value === null || typeof value !== 'object') return [];
  const { id, name, version, code, certificate, system } = value as Record<string, unknown>;
  const read = InstalledApp.safeParse({ id, name: cut(name), version: cut(version), code, certificate, system });
  return read.success ? [read.data] : [];
}

/**
 * What makers of apps write must not keep a terminal out: texts that are too long are cut, an app that can't be read is left out, and whatever is
 * no list of apps is none.
 */
export const readableApps = (said: unknown): unknown => {
  if (said === undefined) return undefined;
  return Array.isArray(said) ? said.flatMap(readableApp).slice(0, MOST_APPS) : [];
};

export const InstalledApps = z.preprocess(readableApps, z.array(InstalledApp).max(MOST_APPS));
