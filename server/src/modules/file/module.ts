import type { AppContext } from '../../platform/app-context.ts';
import { job, type Module } from '../../platform/module.ts';
import { expireBackgroundJobs, exportJob } from '../../platform/work/exporter.ts';
import { assembleJob } from './assemble.ts';
import { fileRoutes } from './file.handlers.ts';
import { openFiles } from './files.ts';
import { freeFileJob } from './free-file.ts';
import { storageExporter } from './monitor/storage.ts';
import { fileExporter } from './monitor/stored.ts';
import { noteUnusedJob, unusedExporter } from './monitor/unused.ts';
import { uploadExporter } from './monitor/uploads.ts';
import { type TellNearlyFull, watchQuotas } from './monitor/watch-quotas.ts';
import { dropBlobJob, type Keeps, keepBuilt, sweepJob } from './sweep.ts';

/** `others` are all modules: what they export, and the bytes that they keep. `tell`: messages are made of files, so files know none. */
export function makeFile(app: AppContext, others: () => readonly Module[], tell: TellNearlyFull): Module {
  const files = openFiles(app);
  const keeps: Keeps = async (db, sha256) => {
    for (const module of others()) if (await module.keepsBlob?.(db, sha256)) return true;
    return false;
  };
  const owners = () => others().flatMap((module) => module.fileOwners ?? []);
  const stored = fileExporter(owners);
  return {
    name: 'file',
    routes: fileRoutes(app, files, others, { owners, stored }),
    jobs: [
      job(assembleJob(files)),
      job(sweepJob(files, keeps)),
      noteUnusedJob(owners),
      watchQuotas(tell),
      job(dropBlobJob(files, keeps)),
      freeFileJob(owners),
      exportJob(() => others().flatMap((module) => module.exporters ?? []), { store: files.store, keep: keepBuilt }),
      expireBackgroundJobs,
    ],
    exporters: [uploadExporter, stored, storageExporter, unusedExporter],
    // What is done with a file shows what it holds: it is done by who brought it.
    refs: { file: { table: 'file_file', own: 'user_id' } },
  };
}
