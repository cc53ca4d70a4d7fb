import { existsSync, mkdirSync, mkdtempSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { beginTip } from '@mooring/server/platform/audit/seal-tip';
import { prepareDatabase } from '@mooring/server/platform/db/prepare';
import { startEmbeddedPostgres } from '@mooring/server/platform/embedded-postgres/start-embedded-postgres';
import { copyFolder, templateName, untilAlone } from '../server/test/test-server.ts';
import { cacheFolder } from '../tools/setup/environment.mjs';

const home = join(cacheFolder(), `journey-data-${process.getuid?.() ?? 'user'}`);
const template = join(home, templateName());

/** Before a run: an empty database of this version, made once and kept until the version changes. */
export async function setup(): Promise<void> {
  if (existsSync(template)) return;
  mkdirSync(home, { recursive: true });
  const next = mkdtempSync(join(home, 'next-'));
  const database = await startEmbeddedPostgres({ dataDir: next, durable: false, log: () => undefined });
  try {
    await prepareDatabase(database.url);
    await untilAlone(database.url);
  } finally {
    await database.stop();
  }
  // Another run may have made it meanwhile.
  if (existsSync(template)) return rmSync(next, { recursive: true });
  for (const old of readdirSync(home)) if (old.startsWith('mooring_')) rmSync(join(home, old), { recursive: true });
  renameSync(next, template);
}

/** A fresh data folder whose database is made already, as a first start would have made it. */
export function fillFresh(dataDir: string): void {
  copyFolder(template, dataDir);
  beginTip(dataDir);
}
