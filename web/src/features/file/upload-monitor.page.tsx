import { ListView } from '../../kit/list/list-view.tsx';
import { tabsPage } from '../../kit/tabs-page.tsx';
import { Storage } from './storage-list.tsx';
import { UnusedFiles } from './unused-files.tsx';
import { storedFiles, uploads } from './upload-lists.tsx';

export const uploadMonitor = tabsPage({
  title: 'menu.uploadMonitor',
  tabs: [
    { key: 'uploads', title: 'upload.title', Body: () => <ListView spec={uploads} queryPrefix="u." /> },
    { key: 'files', title: 'upload.files', Body: () => <ListView spec={storedFiles} queryPrefix="f." /> },
    { key: 'storage', title: 'upload.storage', Body: Storage },
    { key: 'unused', title: 'upload.unused', Body: UnusedFiles },
  ],
});
