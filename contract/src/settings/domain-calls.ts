import { z } from 'zod';
import { calls } from '../kit/call.ts';
import { entity } from '../kit/entity.ts';
import { field, joined, read } from '../kit/field.ts';
import { crud } from '../kit/resource-calls.ts';
import { Moment, Name, ref } from '../kit/schema.ts';

/** Scheme, host and port alone: the path of a file is the server's own. */
const Origin = z
  .string()
  .trim()
  .max(255)
  .regex(/^https?:\/\/[A-Za-z0-9.-]+(:\d{1,5})?$/, 'invalid.url');

/** An address that terminals of a department, and of all below it, are sent to for their files. */
export const DownloadDomain = entity(
  'downloadDomain',
  {
    name: field(Name, { sort: true }),
    url: field(Origin, { unique: 'DOMAIN_TAKEN', code: true, help: 'settings.domain.about' }),
    deptId: field(ref('dept'), { text: 'settings.domain.dept' }),
    deptName: joined(z.string(), { text: 'settings.domain.dept' }),
    enabled: field(z.boolean().default(true), { filter: true }),
    /** Asked for each package that is published; what only terminals reach can't be. */
    checked: field(z.boolean().default(true), { help: 'settings.domain.checked.help' }),
    createdAt: read(Moment, { sort: true, text: 'device.createdAt' }),
  },
  {
    rowClass: 'owned',
    order: 'name',
    search: { text: ['name', 'url'] },
    texts: 'settings.domain',
    title: 'settings.tab.domains',
  },
);

const can = 'settings:system:update';
export const downloadDomainCalls = calls(
  'settings',
  '/downloadDomainName',
  crud(DownloadDomain, { see: 'settings:system:page', add: can, update: can, delete: can }),
);
