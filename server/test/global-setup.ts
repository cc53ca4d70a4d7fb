import { randomBytes } from 'node:crypto';
import type { TestProject } from 'vitest/node';
import { runFolder } from './run-folder.ts';
import { asOwner, startTestServer } from './test-server.ts';

declare module 'vitest' {
  interface ProvidedContext {
    testServer: {
      url: string;
      template: string;
      /** The name of the database that holds what a first start brings, once somebody has made it. */
      started: string;
    };
  }
}

/** One database server for all files of a run. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  // Before anything else: what the workers start finds its temporary folder there.
  runFolder();
  const { url, template, stop } = await startTestServer();
  const started = `mooring_test_started_${randomBytes(4).toString('hex')}`;
  project.provide('testServer', { url, template, started });
  return async () => {
    await asOwner(url, (client) => client.query(`drop database if exists ${started} with (force)`));
    await stop();
  };
}
