import { z } from 'zod';
import { TaskTypeField } from '../engines/approval/schemas.ts';
import { calls } from '../kit/call.ts';
import { entity } from '../kit/entity.ts';
import { field, joined, read } from '../kit/field.ts';
import { crud } from '../kit/resource-calls.ts';
import { Moment, ref } from '../kit/schema.ts';

/** A year. */
export const LIMIT_HOURS = 8760;
/** How long each decision of a stage may take; none: as long as it takes. */
const Hours = z.int().min(1).max(LIMIT_HOURS).nullable().default(null);

/** Which releases of an organisation, and of all below it, are approved in stages. The nearest one counts; without any, releases need no approval. */
export const AuditConfig = entity(
  'auditConfig',
  {
    deptId: field(ref('dept'), { fixed: true, unique: 'AUDIT_CONFIG_TAKEN' }),
    deptName: joined(z.string(), { text: 'auditConfig.deptId' }),
    taskType: field(TaskTypeField, { fixed: true, names: 'approval.taskType.' }),
    enabled: field(z.boolean().default(true), { help: true }),
    hours1: field(Hours),
    hours2: field(Hours),
    hours3: field(Hours, { help: true }),
    whenLate: field(z.enum(['remind', 'escalate', 'expire']).default('remind'), { help: true }),
    createdAt: read(Moment, { sort: true }),
  },
  { rowClass: 'inherited', order: '-createdAt' },
);

const can = 'settings:system:update';
export const auditConfigCalls = calls(
  'approval',
  '/sys/audit/config',
  crud(AuditConfig, { see: 'settings:system:page', add: can, update: can, delete: can }),
);
