import { Readable } from 'node:stream';
import { openStore } from '../src/platform/files/open-store.ts';
import { xlsx } from '../src/platform/work/xlsx.ts';
import { makeFile } from './firmware.ts';
import type { Client, TestApp } from './test-app.ts';

/** An uploaded spreadsheet of somebody's. */
export async function makeSheet(
  app: TestApp,
  client: Client,
  owner: { readonly id: number; readonly path: string },
  header: readonly string[],
  rows: readonly (readonly string[])[],
): Promise<number> {
  async function* each() {
    yield* rows;
  }
  const id = await makeFile(app, client, owner);
  const stored = await openStore(app.context.config).put(xlsx(header, each()));
  await app.context.unscoped((db) =>
    db.updateTable('file_file').set({ sha256: stored.sha256, size: stored.size }).where('id', '=', id).execute(),
  );
  return id;
}

/** An uploaded file of somebody's with a text in it. */
export async function makeText(
  app: TestApp,
  client: Client,
  owner: { readonly id: number; readonly path: string },
  name: string,
  text: string,
): Promise<number> {
  const id = await makeFile(app, client, owner);
  const stored = await openStore(app.context.config).put(Readable.from([Buffer.from(text)]));
  await app.context.unscoped((db) =>
    db.updateTable('file_file').set({ name, sha256: stored.sha256, size: stored.size }).where('id', '=', id).execute(),
  );
  return id;
}
