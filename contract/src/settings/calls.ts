import { z } from 'zod';
import { call, calls } from '../kit/call.ts';
import { PAGE_SIZE, PAGE_SIZE_MAX } from '../kit/page.ts';

/** Branding (specification, section 3, "Page settings"); empty fields fall back to the built-in ones. */
export const PageSetting = z.object({
  systemName: z.string(),
  systemLogo: z.string().nullable(),
  companyName: z.string().nullable(),
  companyAddress: z.string().nullable(),
  loginPageImg: z.string().nullable(),
  productList: z.array(z.object({ image: z.string(), link: z.string() })),
  relationPageList: z.array(z.object({ icon: z.string(), abbr: z.string(), description: z.string(), link: z.string() })),
  /** Whether a mail server and an SMS gateway are set: without them no way by them is offered. No secret of an account. */
  sends: z.object({ email: z.boolean(), sms: z.boolean() }),
  /** Where a code that signs in may go: what is sent, as far as any product line allows it. */
  codes: z.object({ email: z.boolean(), sms: z.boolean() }),
  /** Whether strangers may register. */
  registers: z.boolean(),
});
export type PageSetting = z.infer<typeof PageSetting>;
export const ProjectConfig = z.object({
  afterSalesUrl: z.string().nullable(),
  projectKey: z.string().nullable(),
  fileSource: z.string(),
  supportWebUrl: z.string().nullable(),
  pageId: z.string().nullable(),
  version: z.string(),
});

/** One column of a table as a person keeps it (specification, section 3, "Table column config"). */
export const ColumnConfig = z.strictObject({
  key: z.string().max(64),
  flag: z.boolean().optional(),
  value: z.string().max(128).optional(),
  visible: z.boolean(),
  width: z.int().min(40).max(2000).optional(),
  minWidth: z.int().min(20).max(2000).optional(),
  pinned: z.enum(['left', 'right']).optional(),
});
export const TableConfig = z.strictObject({
  code: z.string().regex(/^[a-z0-9.-]{1,64}$/i, 'invalid.listCode'),
  size: z.int().min(1).max(PAGE_SIZE_MAX).default(PAGE_SIZE),
  isSingleLine: z.boolean(),
  configs: z.array(ColumnConfig).max(100),
});
export type TableConfig = z.infer<typeof TableConfig>;

export const settingCalls = calls('settings', '', {
  pageSetting: call({ can: 'public', reads: true, path: '/unLogin/pageSetting', output: PageSetting }),
  supportConfig: call({
    can: 'public',
    reads: true,
    path: '/unLogin/getSupportConfig',
    output: z.object({ supportWebPath: z.string().nullable() }),
  }),
  projectConfig: call({ can: 'session', reads: true, path: '/home/getProjectConfig', output: ProjectConfig }),
  tableConfig: call({
    can: 'session',
    reads: true,
    path: '/form/config/findOne/{code}',
    input: z.strictObject({ code: TableConfig.shape.code }),
    output: z.object({ config: z.string() }).nullable(),
  }),
  /** `config` is a JSON string of a TableConfig, as the specification has it. */
  saveTableConfig: call({
    can: 'session',
    path: '/form/individuation/config/save',
    input: z.strictObject({ code: TableConfig.shape.code, config: z.string().max(16_384) }),
    faults: ['CONFIG_INVALID'],
    // How wide somebody has a column is no change of anything.
    audited: false,
  }),
});
