import { ListView } from '../../kit/list/list-view.tsx';
import { PageHead } from '../../kit/page-head.tsx';
import type { Page } from '../../kit/route.ts';
import { chooseSearch, useView } from '../../kit/view.ts';
import { Tabs } from '../../ui/tabs.tsx';
import { useT } from '../../ui/words.ts';
import { Storage } from './storage-list.tsx';
import { UnusedFiles } from './unused-files.tsx';
import { storedFiles, uploads } from './upload-lists.tsx';

const tabs = ['uploads', 'files', 'storage', 'unused'] as const;
type Tab = (typeof tabs)[number];
const titles = { uploads: 'upload.title', files: 'upload.files', storage: 'upload.storage', unused: 'upload.unused' } as const;

const shown = (tab: Tab) =>
  tab === 'unused' ? (
    <UnusedFiles />
  ) : tab === 'storage' ? (
    <Storage />
  ) : tab === 'files' ? (
    <ListView spec={storedFiles} queryPrefix="f." />
  ) : (
    <ListView spec={uploads} queryPrefix="u." />
  );

function Monitor() {
  const t = useT();
  const view = useView();
  const active = tabs.find((tab) => tab === view.search.get('tab')) ?? 'uploads';
  return (
    <div className="m-page m-page-fill">
      <PageHead title={t('menu.uploadMonitor')} />
      <Tabs
        active={active}
        onChange={(key) => chooseSearch(view, new URLSearchParams(key === 'uploads' ? {} : { tab: key }))}
        items={tabs.map((key) => ({ key, label: t(titles[key]), children: active === key ? shown(key) : null }))}
      />
    </div>
  );
}

export const uploadMonitor: Page = { View: Monitor };
