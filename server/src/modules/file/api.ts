export { spaceFault } from './check-kind.ts';
export { forgetFile } from './delete-file.ts';
export { addFile, lockBlob, type NewFile } from './file-queries.ts';
export { fileToken } from './get-file.ts';
export { type NamedFile, namedFiles } from './named-files.ts';
export { redraw } from './store-picture.ts';
export { DROP_BLOB, dropUnnamed, keepBuilt } from './sweep.ts';
export { builtUnderQuota, UPLOAD_QUOTA } from './upload-quota.ts';
