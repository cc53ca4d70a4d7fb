import { paramTemplateCalls } from '@mooring/contract/paramfile/template-calls';
import type { TemplateField } from '@mooring/contract/paramfile/template-fields';
import { detailPage } from '../../kit/detail/detail-page.tsx';
import { Table } from '../../ui/table.tsx';
import { type T, useFormat, useT } from '../../ui/words.ts';
import { deleteTemplate, editTemplate, releaseTemplate, type TemplateRow } from './template-actions.ts';
import { TemplateLevels } from './template-levels.tsx';
import { TemplateTerminals } from './template-terminals.tsx';
import { TemplateVersions } from './template-versions.tsx';
import { valueWords } from './value-words.ts';

/** What may be given for a parameter, in a line. */
const rulesOf = (t: T, number: (value: number) => string, field: TemplateField): string =>
  [
    ...(field.required ? [t('paramField.required')] : []),
    ...(field.min === null ? [] : [`${t('paramField.min')} ${number(field.min)}`]),
    ...(field.max === null ? [] : [`${t('paramField.max')} ${number(field.max)}`]),
    ...(field.maxLength === null ? [] : [`${t('paramField.maxLength')}: ${number(field.maxLength)}`]),
    ...(field.pattern === '' ? [] : [field.pattern]),
    ...(field.choices.length === 0 ? [] : [field.choices.join(', ')]),
  ].join(' · ');

function Fields({ row }: { row: TemplateRow }) {
  const t = useT();
  const format = useFormat();
  return (
    <Table
      label={t('paramTemplate.fields')}
      rows={row.fields}
      idOf={(field) => field.key}
      nameOf={(field) => field.key}
      columns={[
        { key: 'key', title: t('paramField.key'), width: 180, cell: (field) => <span className="m-mono">{field.key}</span> },
        { key: 'label', title: t('paramField.label'), width: 180, cell: (field) => field.label || '–' },
        { key: 'type', title: t('paramField.type'), width: 120, cell: (field) => t(`paramField.type.${field.type}`) },
        {
          key: 'default',
          title: t('paramField.default'),
          width: 160,
          cell: (field) => (field.default === null ? '–' : valueWords(field.default)),
        },
        { key: 'rules', title: t('paramField.rules'), width: 320, cell: (field) => rulesOf(t, format.number, field) || '–' },
      ]}
    />
  );
}

export const templatePage = detailPage({
  call: paramTemplateCalls.detail,
  nameOf: (row) => row.name,
  facts: [
    { key: 'productName', title: 'paramTemplate.productId', when: (row) => row.productName !== null },
    { key: 'deptName', title: 'paramTemplate.deptId' },
    { key: 'createdBy', title: 'paramTemplate.createdBy' },
    { key: 'createdAt', title: 'paramTemplate.createdAt', kind: 'moment' },
    { key: 'remark', title: 'paramTemplate.remark', when: (row) => row.remark !== '' },
  ],
  actions: [releaseTemplate, editTemplate, deleteTemplate],
  tabs: [
    { key: 'fields', title: 'paramTemplate.fields', Body: Fields },
    { key: 'values', title: 'paramLevel.title', Body: TemplateLevels },
    { key: 'terminals', title: 'paramBehind.terminals', Body: TemplateTerminals },
    { key: 'versions', title: 'paramVersion.title', Body: TemplateVersions },
  ],
});
