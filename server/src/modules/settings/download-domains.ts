import { DownloadDomain, downloadDomainCalls } from '@mooring/contract/settings/domain-calls';
import { resource } from '../../platform/resource/resource.ts';

export const downloadDomains = resource(DownloadDomain, downloadDomainCalls, {
  table: 'settings_download_domain',
  small: true,
  target: (row) => `download domain ${row.url}`,
  joined: (query) => query.innerJoin('org_dept as o', 'o.id', 't.dept_id').select('o.name as dept_name'),
});
