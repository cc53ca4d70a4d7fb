import { labelCalls, languageAdminCalls } from '@mooring/contract/language/label-calls';
import { useState } from 'react';
import { download } from '../../kit/downloads.ts';
import { ListView } from '../../kit/list/list-view.tsx';
import { type ListSpec, rowAction } from '../../kit/list/types.ts';
import { useCall } from '../../kit/queries.ts';
import { mayCall, useSession } from '../../kit/session.ts';
import { chooseSearch, useView } from '../../kit/view.ts';
import { Button } from '../../ui/button.tsx';
import { Select } from '../../ui/controls.tsx';
import { MenuButton } from '../../ui/menu-button.tsx';
import { Tag } from '../../ui/status-tag.tsx';
import { useFormat, useLooseT, useT } from '../../ui/words.ts';
import { ImportPack } from './import-pack.tsx';
import { EditText, type Row } from './label-text.tsx';

function usePart() {
  const loose = useLooseT();
  const found = useCall(labelCalls.dataTypes, {});
  return {
    choices: (found.data ?? []).map((one) => ({ value: one, label: { text: loose(`label.part.${one}`, one) } })),
    busy: found.fetching,
  };
}

/** The texts of one language, which the address names. */
export function LabelsTab() {
  const t = useT();
  const view = useView();
  const now = useSession();
  const langCode = view.search.get('lang') ?? 'en';
  const known = useCall(languageAdminCalls.page, { page: { size: 100, sort: 'englishName', order: 'asc' } });
  const [edited, setEdited] = useState<Row>();
  const [importing, setImporting] = useState(false);
  const choose = (code: string | number | undefined) =>
    code && chooseSearch(view, new URLSearchParams({ tab: 'texts', lang: String(code) }));
  const format = useFormat();
  const fetchPack = (kind: 'xlsx' | 'json', missingOnly = false) =>
    download(labelCalls.export, { langCode, format: kind, missingOnly }, `mooring-${langCode}.${kind}`);
  return (
    <div className="m-stack m-fill">
      <div className="m-row m-row-wrap">
        <span className="m-choice-wide">
          <Select
            label={t('label.language')}
            value={langCode}
            onChange={choose}
            options={(known.data?.content ?? []).map((one) => ({
              value: one.langCode,
              label: `\u2068${one.nativeName}\u2069 (${one.englishName}) · ${format.percent(Math.floor(one.coverage * 100) / 100)}`,
            }))}
          />
        </span>
        <span className="m-grow" />
        <MenuButton
          items={[
            { key: 'xlsx', label: t('label.export.xlsx'), onClick: () => fetchPack('xlsx') },
            { key: 'json', label: t('label.export.json'), onClick: () => fetchPack('json') },
            { key: 'missing', label: t('label.export.missing'), onClick: () => fetchPack('xlsx', true) },
          ]}
        >
          <Button icon="download">{t('label.export')}</Button>
        </MenuButton>
        {mayCall(labelCalls.import, now) ? <Button onClick={() => setImporting(true)}>{t('label.import')}</Button> : null}
      </div>
      <Labels key={langCode} langCode={langCode} onEdit={setEdited} />
      {edited ? <EditText row={edited} langCode={langCode} onClose={() => setEdited(undefined)} /> : null}
      {importing ? <ImportPack langCode={langCode} onClose={() => setImporting(false)} /> : null}
    </div>
  );
}

const tones = { missing: 'warn', builtIn: 'plain', edited: 'info' } as const;

function Labels({ langCode, onEdit }: { langCode: string; onEdit: (row: Row) => void }) {
  const t = useT();
  const [spec] = useState<ListSpec<typeof labelCalls.page>>(() => ({
    code: 'language.labels',
    title: 'language.tab.texts',
    call: labelCalls.page,
    search: { field: 'text', hint: 'label.search' },
    columns: [
      { key: 'english', title: 'label.english', width: 320 },
      { key: 'text', title: 'label.text', width: 320, cell: (row) => <span dir="auto">{row.text}</span> },
      { key: 'state', title: 'label.state', width: 110, cell: (row) => <Tag tone={tones[row.state]}>{t(`label.state.${row.state}`)}</Tag> },
      { key: 'key', title: 'label.key', kind: 'code', sort: true, width: 240 },
      { key: 'dataType', title: 'label.dataType', kind: 'name', names: 'label.part.', sort: true, width: 150 },
    ],
    filters: [
      { field: 'dataType', label: 'label.dataType', useChoices: usePart },
      { field: 'state', label: 'label.state', names: 'label.state.' },
    ],
    rowActions: [
      { key: 'edit', label: 'label.edit', icon: 'edit', allowedAction: 'edit', run: onEdit },
      rowAction(labelCalls.reset, {
        successText: 'label.resetDone',
        label: 'label.reset',
        icon: 'retry',
        allowedAction: 'reset',
        confirm: { text: 'label.reset.about' },
        input: (row: Row) => ({ langCode, key: row.key, seen: row.text }),
      }),
    ],
    nameOf: (row) => row.key,
    empty: { title: 'label.empty' },
  }));
  return <ListView spec={spec} fixed={{ langCode }} queryPrefix="t." />;
}
