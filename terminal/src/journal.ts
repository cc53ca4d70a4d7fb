import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import type { ContentDocument } from '@mooring/contract/desktop/content-document';
import type { DownRead, Settings } from '@mooring/contract/device/messages';

export interface Install {
  readonly offer: string;
  readonly version: string;
  readonly sha256: string;
  readonly at: string;
}
/** Something with a version of its own. */
export interface Part {
  readonly version: string;
  /** Digest of what runs: the base of a difference. */
  readonly sha256: string | undefined;
}
/** Something that it shows, as it came; its files lie beside it. */
export interface Shown {
  /** Of the whole archive. */
  readonly sha256: string;
  readonly document: ContentDocument;
}
/** An app that was installed since it left the factory. */
export interface InstalledApp {
  readonly name: string;
  readonly versionName: string;
  readonly versionCode: number;
  readonly certificate: string;
  readonly sha256: string;
  /** The detached signature that it was installed by, in base64, where the terminal trusts signers of its own. */
  readonly beside?: string | undefined;
}
export interface Unsent {
  readonly kind: string;
  readonly id: string;
  readonly at: string;
  readonly data: unknown;
}
export type OfferStage = 'received' | 'installing' | 'ended';
export interface OfferEntry {
  stage: OfferStage;
  /** What was offered; of an ended one the result is enough. */
  offer?: DownRead['offer'];
  /** Its detached signature in base64, from when it is fetched. */
  beside?: string;
  result?: unknown;
}

/** What a terminal must not forget over a loss of power: what it installed, what it answered, what it still has to say. */
export interface Journal {
  readonly installs: Install[];
  readonly offers: Map<string, OfferEntry>;
  /** Answers by the id of the message that they answer: a repeated command is answered again, not done again. */
  readonly answers: Map<string, unknown>;
  readonly unsent: Map<string, Unsent>;
  firmware: string;
  /** Digest of what runs, where it is known: the base of a difference. */
  firmwareSha256: string | undefined;
  /** Other parts that were installed since it left the factory, by kind and name. */
  readonly parts: Map<string, Part>;
  /** What is set on it, by section. */
  readonly settings: Map<string, NonNullable<Settings['values']>>;
  /** Its own file of parameters, in base64. */
  paramFile: string | undefined;
  /** What it shows, by section: playlists, the look of the system, the home screen. */
  readonly contents: Map<string, Shown>;
  /** Apps by package name: null where one was removed. */
  readonly apps: Map<string, InstalledApp | null>;
  /** Properties of its thing model that were set, and the number of the command that set each. */
  readonly properties: Map<string, unknown>;
  readonly propertySeqs: Map<string, number>;
  configRevision: number;
  config: Record<string, unknown>;
  /** Of the last hello. */
  helloOrder: number;
  /** Called after each change, before anything is done because of it. */
  save(): void;
}

const KEPT = 200;
const trim = (map: Map<string, unknown>) => {
  for (const key of map.keys()) {
    if (map.size <= KEPT) return;
    map.delete(key);
  }
};

export function memoryJournal(firmware: string, onSave?: () => void): Journal {
  const journal: Journal = {
    installs: [],
    offers: new Map(),
    answers: new Map(),
    unsent: new Map(),
    firmware,
    firmwareSha256: undefined,
    parts: new Map(),
    settings: new Map(),
    paramFile: undefined,
    contents: new Map(),
    apps: new Map(),
    properties: new Map(),
    propertySeqs: new Map(),
    configRevision: 0,
    config: {},
    helloOrder: 0,
    save() {
      trim(journal.answers);
      trim(journal.offers);
      onSave?.();
    },
  };
  return journal;
}

export interface Stored {
  installs: Install[];
  offers: [string, OfferEntry][];
  answers: [string, unknown][];
  unsent: [string, Unsent][];
  firmware: string;
  firmwareSha256?: string | undefined;
  parts?: [string, Part][];
  settings?: [string, NonNullable<Settings['values']>][];
  paramFile?: string | undefined;
  contents?: [string, Shown][];
  apps?: [string, InstalledApp | null][];
  properties?: [string, unknown][];
  propertySeqs?: [string, number][];
  configRevision: number;
  config: Record<string, unknown>;
  helloOrder?: number;
}
export const storedOf = (journal: Journal): Stored => ({
  installs: journal.installs,
  offers: [...journal.offers],
  answers: [...journal.answers],
  unsent: [...journal.unsent],
  firmware: journal.firmware,
  firmwareSha256: journal.firmwareSha256,
  parts: [...journal.parts],
  settings: [...journal.settings],
  paramFile: journal.paramFile,
  contents: [...journal.contents],
  apps: [...journal.apps],
  properties: [...journal.properties],
  propertySeqs: [...journal.propertySeqs],
  configRevision: journal.configRevision,
  config: journal.config,
  helloOrder: journal.helloOrder,
});

export function fillJournal(journal: Journal, stored: Stored): void {
  journal.installs.push(...stored.installs);
  for (const [key, value] of stored.offers) journal.offers.set(key, value);
  for (const [key, value] of stored.answers) journal.answers.set(key, value);
  for (const [key, value] of stored.unsent) journal.unsent.set(key, value);
  journal.firmware = stored.firmware;
  journal.firmwareSha256 = stored.firmwareSha256;
  for (const [key, value] of stored.parts ?? []) journal.parts.set(key, value);
  for (const [key, value] of stored.settings ?? []) journal.settings.set(key, value);
  journal.paramFile = stored.paramFile;
  for (const [key, value] of stored.contents ?? []) journal.contents.set(key, value);
  for (const [key, value] of stored.apps ?? []) journal.apps.set(key, value);
  for (const [key, value] of stored.properties ?? []) journal.properties.set(key, value);
  for (const [key, value] of stored.propertySeqs ?? []) journal.propertySeqs.set(key, value);
  journal.configRevision = stored.configRevision;
  journal.config = stored.config;
  journal.helloOrder = stored.helloOrder ?? 0;
}

/** A file that is replaced whole, so that it is never half written. */
export function fileJournal(path: string, firmware: string): Journal {
  mkdirSync(dirname(path), { recursive: true });
  const journal = memoryJournal(firmware, () => {
    writeFileSync(`${path}.new`, JSON.stringify(storedOf(journal)), { mode: 0o600, flush: true });
    renameSync(`${path}.new`, path);
  });
  try {
    fillJournal(journal, JSON.parse(readFileSync(path, 'utf8')) as Stored);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
  }
  return journal;
}
