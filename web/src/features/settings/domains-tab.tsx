import { DownloadDomain, downloadDomainCalls } from '@mooring/contract/settings/domain-calls';
import { ListPart } from '../../kit/list/list-part.tsx';
import { formDialogs } from '../../kit/resource/form-dialogs.tsx';
import { listOf } from '../../kit/resource/resource-list.ts';

const texts = { search: 'settings.domain.name', delete: 'settings.dict.delete' } as const;
const { Add, Edit, edit } = formDialogs(DownloadDomain, downloadDomainCalls, {
  texts,
  fields: ['name', 'url', 'deptId', 'enabled', 'checked'],
});

const domains = listOf(DownloadDomain, downloadDomainCalls, {
  code: 'settings.domains',
  texts: { ...texts, edit: 'settings.dict.edit' },
  columns: ['name', { key: 'url', width: 280 }, { key: 'deptName', width: 200 }, 'enabled', 'checked', 'createdAt'],
  Add,
  edit,
});

export const DomainsTab = () => (
  <>
    <ListPart spec={domains} queryPrefix="d." />
    <Edit />
  </>
);
