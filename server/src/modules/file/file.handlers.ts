import { backgroundJobCalls } from '@mooring/contract/file/background-job-calls';
import { fileCalls } from '@mooring/contract/file/calls';
import type { AppContext } from '../../platform/app-context.ts';
import { type FileOwner, handlers, type Route } from '../../platform/module.ts';
import { beginUpload } from './begin-upload.ts';
import { deleteFile } from './delete-file.ts';
import type { Files } from './files.ts';
import { cancelUpload, checkUpload, finishUpload } from './finish-upload.ts';
import { getFile, securityToken } from './get-file.ts';
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

export const fileRoutes = (app: AppContext, files: Files, owners: () => readonly FileOwner[]): Route[] => [
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
    getSecurityToken: (ctx, input) => securityToken(ctx, app, owners(), input.id),
    get: (ctx, input, wire) => getFile(ctx, app, files, input.token, wire),
  }),
  ...handlers(backgroundJobCalls, {
    page: pageBackgroundJobs,
    detail: (ctx, input) => showBackgroundJob(ctx, input.id),
    cancel: (ctx, input) => cancelBackgroundJob(ctx, input.id),
    retry: (ctx, input) => retryBackgroundJob(ctx, input.id),
    delete: (ctx, input) => deleteBackgroundJob(ctx, input.id),
    download: (ctx, input) => downloadBackgroundJob(ctx, app, input.id),
  }),
];
