import { ParamTemplate, paramTemplateCalls } from '@mooring/contract/paramfile/template-calls';
import { useDepts, useProducts } from '../../kit/choices.ts';
import { listPage } from '../../kit/list/list-page.tsx';
import { off } from '../../kit/resource/entity-column.tsx';
import { releaseTemplate, TEMPLATES, templatePath } from './template-actions.ts';

export const templateList = listPage(ParamTemplate, paramTemplateCalls, {
  code: 'paramTemplate.list',
  path: TEMPLATES,
  columns: [{ key: 'name', link: templatePath }, 'productName', 'fieldCount', 'deptName', 'createdBy', 'createdAt', off('remark')],
  filters: [
    { field: 'productId', label: 'paramTemplate.productId', useChoices: useProducts },
    { field: 'deptId', label: 'paramTemplate.deptId', kind: 'one', useChoices: useDepts },
    { field: 'createdAt', label: 'paramTemplate.createdAt' },
  ],
  rowActions: [releaseTemplate],
  open: templatePath,
  deleting: { text: 'paramTemplate.delete.about' },
  emptyText: 'paramTemplate.emptyText',
});
