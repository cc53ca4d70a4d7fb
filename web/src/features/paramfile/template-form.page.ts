import { ParamTemplate, paramTemplateCalls } from '@mooring/contract/paramfile/template-calls';
import { useProducts } from '../../kit/choices.ts';
import { formPage } from '../../kit/form/form-page.tsx';
import { newField } from './field-draft.ts';
import { FieldsEditor } from './fields-editor.tsx';
import { TEMPLATES } from './template-actions.ts';

export const templateForm = formPage(ParamTemplate, paramTemplateCalls, {
  path: TEMPLATES,
  initial: { fields: [newField as never] },
  fields: [
    'name',
    { name: 'productId', kind: 'one', useChoices: useProducts },
    { name: 'remark', kind: 'area' },
    { name: 'fields', Control: FieldsEditor, wide: true },
  ],
});
