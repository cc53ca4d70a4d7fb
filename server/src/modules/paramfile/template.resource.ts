import { ParamTemplate, paramTemplateCalls } from '@mooring/contract/paramfile/template-calls';
import { resource } from '../../platform/resource/resource.ts';

/** Which Android parameters there are, and what may be given for each. */
export const paramTemplates = resource(ParamTemplate, paramTemplateCalls, {
  table: 'paramfile_template',
  small: true,
  target: (row) => `parameter template ${row.name}`,
  joined: (query) =>
    query
      .innerJoin('org_dept as o', 'o.id', 't.dept_id')
      .leftJoin('product_product as p', 'p.id', 't.product_id')
      .select(['o.name as dept_name', 'p.name as product_name']),
  columns: (ctx, _input, { before }) => ({ changed_by: ctx.actor.userName, ...(before ? {} : { created_by: ctx.actor.userName }) }),
  inUse: 'PARAM_TEMPLATE_IN_USE',
});
