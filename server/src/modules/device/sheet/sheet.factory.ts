import { backgroundJobCalls } from '@mooring/contract/file/background-job-calls';
import { makeFile } from '../../../../test/firmware.ts';
import type { Client, TestApp } from '../../../../test/test-app.ts';
import type { DeptAt } from '../../org/api.ts';

/** An uploaded file of any bytes, under a name. */
export async function uploaded(
  app: TestApp,
  client: Client,
  owner: DeptAt,
  bytes: Buffer | string,
  name = 'terminals.csv',
): Promise<number> {
  const id = await makeFile(app, client, owner, Buffer.from(bytes));
  await app.context.unscoped((db) => db.updateTable('file_file').set({ name, kind: '8' }).where('id', '=', id).execute());
  return id;
}
/** Carries out what waits, and answers how the job ended. */
export async function ended(app: TestApp, client: Client, work: number) {
  await app.runJobs();
  return client.call(backgroundJobCalls.detail, { id: work });
}
