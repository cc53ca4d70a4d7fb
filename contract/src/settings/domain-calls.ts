import { z } from 'zod';
import { allowedActions } from '../kit/allowed-actions.ts';
import { call, calls } from '../kit/call.ts';
import { filter, pageOf, pageQuery } from '../kit/page.ts';
import { Id, Moment, Name, ref, revises, revision } from '../kit/schema.ts';

/** Scheme, host and port alone: the path of a file is the server's own. */
const Origin = z
  .string()
  .trim()
  .max(255)
  .regex(/^https?:\/\/[A-Za-z0-9.-]+(:\d{1,5})?$/, 'invalid.url');

/** An address that terminals of a department, and of all below it, are sent to for their files. */
export const DownloadDomain = z.object({
  id: Id,
  name: z.string(),
  url: z.string(),
  deptId: Id,
  deptName: z.string(),
  enabled: z.boolean(),
  createdAt: Moment,
  ...revision,
  ...allowedActions,
});
const can = 'settings:system:update';
const fields = { name: Name, url: Origin, deptId: ref('dept'), enabled: z.boolean().default(true) };
const one = z.strictObject({ id: Id });

export const downloadDomainCalls = calls('settings', '/downloadDomainName', {
  page: call({
    can: 'settings:system:page',
    reads: true,
    input: pageQuery({ text: filter.text(), enabled: z.boolean() }, ['name', '-createdAt']),
    output: pageOf(DownloadDomain),
  }),
  detail: call({ can: 'settings:system:page', reads: true, input: one, output: DownloadDomain }),
  add: call({ can, input: z.strictObject(fields), output: DownloadDomain, faults: ['DOMAIN_TAKEN'] }),
  update: call({
    can,
    input: z.strictObject({ id: Id, ...revises('downloadDomain'), ...fields }),
    output: DownloadDomain,
    faults: ['DOMAIN_TAKEN'],
  }),
  delete: call({ can, input: one }),
});
