import type { TestProject } from 'vitest/node';
import { runFolder } from './run-folder.ts';
import { startTestServer } from './test-server.ts';

declare module 'vitest' {
  interface ProvidedContext {
    testServer: { url: string; template: string };
  }
}

/** One database server for all files of a run. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  // Before anything else: what the workers start finds its temporary folder there.
  runFolder();
  const { url, template, stop } = await startTestServer();
  project.provide('testServer', { url, template });
  return stop;
}
