import type { House } from '../../platform/house.ts';
import { job, type Module } from '../../platform/module.ts';
import { expireWorks, exportJob } from '../../platform/work/exporter.ts';
import { assembleJob } from './assemble.ts';
import { fileRoutes } from './file.handlers.ts';
import { openFiles } from './files.ts';
import { dropBlobJob, sweepJob } from './sweep.ts';

/** `exporting` are the modules whose lists can be exported. */
export function makeFile(house: House, exporting: () => readonly Module[]): Module {
  const files = openFiles(house);
  return {
    name: 'file',
    routes: fileRoutes(house, files),
    jobs: [
      job(assembleJob(files)),
      job(sweepJob(files)),
      job(dropBlobJob(files)),
      exportJob(() => exporting().flatMap((module) => module.exporters ?? []), files.store),
      expireWorks,
    ],
    refs: { file: 'file_file' },
  };
}
