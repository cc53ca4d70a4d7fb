import { z } from 'zod';
import { calls } from '../kit/call.ts';
import { entity } from '../kit/entity.ts';
import { field, joined, read } from '../kit/field.ts';
import { crud } from '../kit/resource-calls.ts';
import { Id, Moment, Name, Remark, ref } from '../kit/schema.ts';
import { TemplateFields } from './template-fields.ts';

const can = <A extends string>(act: A) => `paramFile:template:${act}` as const;
/** Who releases Android parameters reads what they may be. */
const seeing = `${can('page')}||tms:androidParam:page` as const;

/** Which parameters there are, and what may be given for each. */
export const ParamTemplate = entity(
  'paramTemplate',
  {
    name: field(Name, { sort: true }),
    /** Null: for terminals of any product. What releases sent by it stays true, so it never changes. */
    productId: field(ref('product').nullable().default(null), { fixed: true, filter: true, help: true }),
    productName: joined(z.string().nullable(), { text: 'paramTemplate.productId' }),
    fields: field(TemplateFields),
    fieldCount: read(z.int()),
    remark: field(Remark.default('')),
    deptId: read(Id, { filter: true }),
    deptName: joined(z.string(), { text: 'paramTemplate.deptId' }),
    createdBy: read(z.string()),
    createdAt: read(Moment, { sort: true, filter: true }),
  },
  { rowClass: 'inherited', order: '-createdAt', search: { text: ['name', 'remark'] } },
);

export const paramTemplateCalls = calls(
  'paramfile',
  '/paramfile/template',
  crud(
    ParamTemplate,
    { see: seeing, add: can('add'), update: can('update'), delete: can('delete') },
    { faults: { delete: ['PARAM_TEMPLATE_IN_USE'] } },
  ),
);
