import { backgroundJobCalls } from '@mooring/contract/file/background-job-calls';
import { fileCalls } from '@mooring/contract/file/calls';
import { uploadMonitorCalls } from '@mooring/contract/file/upload-monitor-calls';
import type { AppContext } from '../../platform/app-context.ts';
import { type FileOwner, handlers, type Module, type Route } from '../../platform/module.ts';
import { type Exporter, startExport } from '../../platform/work/exporter.ts';
import { findPeople } from '../account/api.ts';
import { beginUpload } from './begin-upload.ts';
import { deleteFile } from './delete-file.ts';
import type { Files } from './files.ts';
import { cancelUpload, checkUpload, finishUpload } from './finish-upload.ts';
import { getFile, securityToken } from './get-file.ts';
import { ownStorage } from './monitor/own.ts';
import { pageStorage, setQuota, storageExporter, storageKindsOf } from './monitor/storage.ts';
import { deleteStored, pageFiles } from './monitor/stored.ts';
import { cleanUnused, listUnused, unusedExporter, unusedFiles } from './monitor/unused.ts';
import { uploaders } from './monitor/uploaders.ts';
import { cancelOther, pageUploads, uploadExporter } from './monitor/uploads.ts';
import { usesOf } from './monitor/uses.ts';
import { reuseFile } from './reuse-file.ts';
import { uploadDirect } from './upload-direct.ts';
import { uploadPart } from './upload-part.ts';
import {
  cancelBackgroundJob,
  deleteBackgroundJob,
  downloadBackgroundJob,
  pageBackgroundJobs,
  retryBackgroundJob,
  showBackgroundJob,
} from './work-centre.ts';

const pictures = ['1', '2'];
const firmware = ['5', '7'];

const exportersOf = (modules: readonly Module[]) => modules.flatMap((module) => module.exporters ?? []);

/** `others` are all modules: what they export; `owners` is what files hang on, and `stored` the exporter that looks there. */
export const fileRoutes = (
  app: AppContext,
  files: Files,
  others: () => readonly Module[],
  { owners, stored }: { readonly owners: () => readonly FileOwner[]; readonly stored: Exporter },
): Route[] => [
  ...handlers(fileCalls, {
    direct: (ctx, _input, wire) => uploadDirect(ctx, files, wire),
    upImage: (ctx, _input, wire) => uploadDirect(ctx, files, wire, pictures),
    upFiwFile: (ctx, _input, wire) => uploadDirect(ctx, files, wire, firmware),
    initMultipartUpload: (ctx, input) => beginUpload(ctx, files, input),
    uploadPart: (ctx, _input, wire) => uploadPart(ctx, files, wire),
    transferUpload: (ctx, input) => finishUpload(ctx, input),
    transferCheck: (ctx, input) => checkUpload(ctx, files, input),
    cancelUpload: (ctx, input) => cancelUpload(ctx, files, input),
    delete: (ctx, input) => deleteFile(ctx, input.id),
    reuse: (ctx, input) => reuseFile(ctx, files, owners(), input.id),
    getSecurityToken: (ctx, input) => securityToken(ctx, app, owners(), input.id),
    get: (ctx, input, wire) => getFile(ctx, app, files, input.token, wire),
  }),
  ...handlers(uploadMonitorCalls, {
    page: pageUploads,
    export: (ctx, input) => startExport(ctx, uploadExporter, input),
    cancel: (ctx, input) => cancelOther(ctx, files, input.id),
    files: pageFiles(owners),
    fileExport: (ctx, input) => startExport(ctx, stored, input),
    uses: usesOf(owners),
    delete: (ctx, input) => deleteStored(owners)(ctx, input.id),
    people: findPeople,
    uploaders,
    own: ownStorage,
    kinds: storageKindsOf,
    storage: pageStorage,
    storageExport: (ctx, input) => startExport(ctx, storageExporter, input),
    quota: setQuota,
    unused: listUnused,
    unusedFiles,
    unusedExport: (ctx, input) => startExport(ctx, unusedExporter, input),
    clean: cleanUnused(owners),
  }),
  ...handlers(backgroundJobCalls, {
    page: (ctx, input) => pageBackgroundJobs(ctx, exportersOf(others()), input),
    detail: (ctx, input) => showBackgroundJob(ctx, exportersOf(others()), input.id),
    cancel: (ctx, input) => cancelBackgroundJob(ctx, exportersOf(others()), input.id),
    retry: (ctx, input) => retryBackgroundJob(ctx, exportersOf(others()), input.id),
    delete: (ctx, input) => deleteBackgroundJob(ctx, input.id),
    download: (ctx, input) => downloadBackgroundJob(ctx, app, exportersOf(others()), input.id),
  }),
];
