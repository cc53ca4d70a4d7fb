import { z } from 'zod';
import { call, calls } from '../kit/call.ts';
import { ById, Id, secret } from '../kit/schema.ts';
import { fileKinds } from './kinds.ts';

/** MD5 of the whole content, as the browser computed it in 20 MB steps. */
const Identifier = z.string().regex(/^[0-9a-f]{32}$/, { message: 'invalid.identifier' });
const Md5 = Identifier;
/** SHA-256 of the whole content. By it alone a file is known: two files of one MD5 can be made. */
const Sha256 = z.string().regex(/^[0-9a-f]{64}$/, { message: 'invalid.identifier' });
export const FileName = z
  .string()
  .trim()
  .min(1)
  .max(200)
  .regex(/^[^\\/\p{Cc}]+$/u, { message: 'invalid.uploadName' })
  .refine((name) => name !== '.' && name !== '..', { message: 'invalid.uploadName' });
const FileType = z.enum(fileKinds.map((kind) => kind.code) as [string, ...string[]]);
const Size = z
  .int()
  .min(1)
  .max(16 * 1024 ** 3);
/** Sent by the console as the specification has them; the server decides by itself where a file goes. */
const informal = { requestUrl: z.string().max(512).optional(), time: z.union([z.int(), z.string().max(32)]).optional() };

/** The JSON part `req` of a direct upload. */
export const DirectInfo = z.strictObject({ type: FileType, identifier: Identifier, ...informal });
/** The JSON part `req` of a part. */
export const PartInfo = z.strictObject({
  identifier: Identifier,
  partNumber: z.int().min(1).max(100_000),
  curPartSize: z
    .int()
    .min(1)
    .max(64 * 1024 * 1024),
  totalPartSize: z.int().min(1).max(100_000),
  md5: Md5,
  fileName: FileName,
  size: Size,
  fileType: FileType,
  ...informal,
});

export const UploadedFile = z.object({
  id: Id,
  fileName: z.string(),
  fileType: z.string(),
  size: z.number(),
  md5: z.string(),
  sha256: z.string(),
});
export type UploadedFile = z.infer<typeof UploadedFile>;

/** For the GET of one file. */
export const FileToken = z.object({ token: z.string(), url: z.string(), expiresIn: z.int() });

/** Why there is no room for more of somebody, though the disk has some. */
export const quotaFaults: readonly string[] = ['UPLOADS_MANY', 'STORAGE_QUOTA'];
const uploadFaults = [
  'FILE_KIND_REFUSED',
  'FILE_TOO_LARGE',
  'FILE_NOT_GENUINE',
  'PICTURE_LARGE',
  'HASH_MISMATCH',
  'PART_REFUSED',
  'UPLOAD_CANCELLED',
  'NO_SPACE',
  ...quotaFaults,
];
export const uploadStates = ['uploading', 'assembling', 'done', 'failed', 'cancelled'] as const;

/** Uploads of specification sections 5 and 7: direct below one part, in parts above, resumable by content. */
export const fileCalls = calls('file', '/file', {
  direct: call({
    can: 'session',
    path: '/file/upload/unified',
    wire: 'multipart',
    tx: 'own',
    output: UploadedFile,
    faults: uploadFaults,
    about: 'Multipart: JSON part `req`, then `file`.',
  }),
  initMultipartUpload: call({
    can: 'session',
    tx: 'own',
    input: z.strictObject({
      identifier: Identifier,
      fileName: FileName,
      size: Size,
      fileType: FileType,
      totalPartSize: z.int().min(1).max(100_000),
      sha256: Sha256.optional(),
      ...informal,
    }),
    output: z.object({
      partList: z.array(z.object({ partNumber: z.int() })),
      partSize: z.int(),
      /** SHA-256 of a file of one's own with this MD5: whose content has it too asks again with it. */
      known: z.string().nullable(),
      uploadfileDTO: UploadedFile.nullable(),
    }),
    faults: uploadFaults,
    about: 'The chunk index: which parts are here already, or the file itself where its `sha256` is said and it is here.',
  }),
  /** Begin, end and cancellation of an upload are its record: hundreds of rows between them would tell nobody anything (ADR 16). */
  uploadPart: call({
    can: 'session',
    wire: 'multipart',
    tx: 'own',
    audited: false,
    output: z.object({ uploadFlag: z.boolean(), uploadfileDTO: UploadedFile.nullable() }),
    faults: uploadFaults,
  }),
  transferUpload: call({
    can: 'session',
    tx: 'own',
    input: z.strictObject({ identifier: Identifier, fileType: FileType, sha256: Sha256.optional() }),
    output: z.object({ state: z.enum(uploadStates) }),
    faults: uploadFaults,
    about: 'All parts are up: assemble and check them. The whole has to have the `sha256`, where it is said.',
  }),
  transferCheck: call({
    can: 'session',
    reads: true,
    input: z.strictObject({ identifier: Identifier, fileType: FileType }),
    output: z.object({
      state: z.enum(uploadStates),
      reason: z.string().nullable(),
      message: z.string().nullable(),
      uploadfileDTO: UploadedFile.nullable(),
    }),
  }),
  cancelUpload: call({ can: 'session', tx: 'own', input: z.strictObject({ identifier: Identifier, fileType: FileType }) }),
  delete: call({ can: 'session', input: ById, faults: ['FILE_IN_USE'] }),
  upImage: call({ can: 'session', wire: 'multipart', tx: 'own', output: UploadedFile, faults: uploadFaults }),
  upFiwFile: call({ can: 'firmware:package:add', wire: 'multipart', tx: 'own', output: UploadedFile, faults: uploadFaults }),
  /** A package that one may read, as an upload of one's own: to bring it somewhere else, to be signed for example. */
  reuse: call({ can: 'session', input: ById, output: UploadedFile, faults: ['FILE_KIND_REFUSED', ...quotaFaults] }),
  /** A token for the GET of one file, for ten minutes: a file of one's own, or one that hangs on a row that one may see. */
  getSecurityToken: call({
    can: 'session',
    tokens: true,
    reads: true,
    input: ById,
    output: FileToken,
  }),
  get: call({
    can: 'public',
    reads: true,
    method: 'GET',
    wire: 'binary',
    path: '/file/get/{token}',
    tx: 'own',
    input: z.strictObject({ token: secret(z.string().max(512)) }),
    output: z.unknown(),
    faults: ['TOKEN_EXPIRED'],
  }),
});
