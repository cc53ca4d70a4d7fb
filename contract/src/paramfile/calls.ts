import { z } from 'zod';
import { settingTaskCalls, taskDeviceCallsOf } from '../engines/rollout/task-calls.ts';
import { quotaFaults } from '../file/calls.ts';
import { call, calls } from '../kit/call.ts';
import { entity } from '../kit/entity.ts';
import { field, joined, read } from '../kit/field.ts';
import { crud } from '../kit/resource-calls.ts';
import { Id, Moment, Name, Remark, ref } from '../kit/schema.ts';
import { paramFileKind } from './kind.ts';
import { paramProblems } from './limits.ts';

const seeing = 'paramFile:file:page||paramFile:task:page';
const adding = 'paramFile:file:add';

/** What came in one upload: a file for each of some terminals. */
export const ParamSet = entity(
  'paramSet',
  {
    name: field(Name, { fixed: true, sort: true }),
    files: read(z.int()),
    size: read(z.int()),
    version: read(z.string(), { code: true }),
    fileName: read(z.string()),
    remark: field(Remark.default(''), { fixed: true }),
    deptId: read(Id, { text: 'paramSet.dept' }),
    deptName: joined(z.string(), { text: 'paramSet.dept' }),
    createdBy: read(z.string()),
    createdAt: read(Moment, { sort: true }),
  },
  { rowClass: 'inherited', order: '-createdAt', search: { text: ['name', 'fileName'] } },
);
export const paramSetCalls = calls(
  'paramfile',
  '/paramfile',
  crud(ParamSet, { see: seeing, delete: 'paramFile:file:delete' }, { faults: { delete: ['PARAM_SET_IN_USE'] } }),
);

/** Whether a terminal has its file: this one, another one, or none. */
export const paramHeld = ['same', 'other', 'none'] as const;
/** One terminal's file. What is in it no call answers. */
export const ParamFile = entity(
  'paramFile',
  {
    sn: read(z.string(), { sort: true, code: true }),
    setId: read(Id, { filter: true, text: 'paramFile.set' }),
    deviceId: read(Id, { text: 'paramFile.device' }),
    deviceName: joined(z.string(), { text: 'paramFile.device' }),
    fileName: read(z.string()),
    size: read(z.int()),
    sha256: read(z.string(), { code: true }),
    held: joined(z.enum(paramHeld)),
  },
  { rowClass: 'owned', order: 'sn', search: { text: ['sn'] } },
);
export const paramFileCalls = calls('paramfile', '/paramfile/file', crud(ParamFile, { see: seeing }));

const uploadFaults = ['PARAM_ZIP_BROKEN', 'PARAM_ZIP_NAMES', 'PARAM_ZIP_TOO_LARGE', 'PARAM_ZIP_MANY', 'FILE_WRONG_KIND'];
/** Of an upload, before anything is kept: whose files these are. */
export const ParamCheck = z.object({
  files: z.int(),
  matched: z.int(),
  /** How many can't be anybody's; the first 200 of them are named. */
  wrong: z.int(),
  problems: z.array(z.object({ name: z.string(), problem: z.enum(paramProblems) })),
});

/** A file for each SN out of one archive, matched by name: `SN.ext`, in whatever folder. */
export const paramBatchCalls = calls('paramfile', '/batch/paramfile', {
  check: call({
    can: adding,
    reads: true,
    tx: 'own',
    timeout: 60,
    input: z.strictObject({ fileId: ref('file') }),
    output: ParamCheck,
    faults: uploadFaults,
  }),
  /** All of it, or nothing; `partly` leaves out what is nobody's. */
  add: call({
    can: adding,
    tx: 'own',
    timeout: 300,
    input: z.strictObject({ name: Name, fileId: ref('file'), remark: Remark.default(''), partly: z.boolean().default(false) }),
    output: ParamSet.row,
    faults: [...uploadFaults, 'PARAM_FILES_WRONG', 'PARAM_FILES_NONE', 'NO_SPACE', ...quotaFaults],
  }),
});

/** Which upload is sent; what it is called the server notes, for whoever looks at the release. */
export const ParamFileContent = z.strictObject({ setId: ref('paramSet'), setName: z.string().max(64).default('') });
export const paramTaskCalls = settingTaskCalls(paramFileKind, ParamFileContent);
export const paramTaskDeviceCalls = taskDeviceCallsOf(paramFileKind);
