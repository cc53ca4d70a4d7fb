import { languageAdminCalls } from '@mooring/contract/language/label-calls';
import { languageMachine } from '@mooring/contract/language/state-machines';
import { ListView } from '../../kit/list/list-view.tsx';
import { type ListSpec, rowAction } from '../../kit/list/types.ts';
import { Progress } from '../../ui/figures.tsx';
import { useFormat, useT } from '../../ui/words.ts';

function Coverage({ texts, total }: { texts: number; total: number }) {
  const t = useT();
  const format = useFormat();
  return (
    <span className="m-row m-row-wrap">
      <Progress label={t('language.coverage')} share={texts / total} />
      <span className="m-small m-muted m-figure">{format.straight(`${format.number(texts)} / ${format.number(total)}`)}</span>
    </span>
  );
}

const spec: ListSpec<typeof languageAdminCalls.page> = {
  code: 'language.list',
  title: 'language.tab.languages',
  call: languageAdminCalls.page,
  export: languageAdminCalls.export,
  search: { field: 'text', hint: 'language.search' },
  columns: [
    {
      key: 'nativeName',
      title: 'language.nativeName',
      pinned: 'left',
      width: 180,
      link: (row) => `/labelManage?tab=texts&lang=${row.langCode}`,
    },
    { key: 'englishName', title: 'language.englishName', sort: true, width: 180 },
    { key: 'langCode', title: 'language.langCode', kind: 'code', sort: true, width: 110 },
    { key: 'publishStatus', title: 'language.publishStatus', kind: 'state', machine: languageMachine, width: 130 },
    {
      key: 'coverage',
      title: 'language.coverage',
      sort: true,
      width: 260,
      cell: (row) => <Coverage texts={row.texts} total={row.total} />,
    },
    { key: 'rightToLeft', title: 'language.rightToLeft', kind: 'yes', width: 120 },
    { key: 'edited', title: 'language.edited', kind: 'number', width: 110 },
    { key: 'updatedAt', title: 'language.updatedAt', kind: 'moment', width: 170 },
  ],
  filters: [{ field: 'publishStatus', label: 'language.publishStatus', machine: languageMachine }],
  rowActions: [
    { key: 'open', label: 'language.open', to: (row) => `/labelManage?tab=texts&lang=${row.langCode}` },
    rowAction(languageAdminCalls.publish, { successText: 'done.published', label: 'event.language.publish', allowedAction: 'publish' }),
    rowAction(languageAdminCalls.unpublish, {
      successText: 'done.unpublished',
      label: 'event.language.unpublish',
      allowedAction: 'unpublish',
      danger: true,
      confirm: { text: 'language.unpublish.about' },
    }),
  ],
  nameOf: (row) => row.nativeName,
  empty: { title: 'language.empty' },
};

/** Every language that the console knows, with how much of it there is. */
export const LanguagesTab = () => <ListView spec={spec} queryPrefix="l." />;
