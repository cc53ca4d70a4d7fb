import { type ApiToken, tokenAdminCalls } from '@mooring/contract/account/token-calls';
import type { z } from 'zod';
import { t } from '../../platform/texts/translate.ts';
import { listExporter, momentCell } from '../../platform/work/exporter.ts';
import { pageTokens } from './api-tokens.ts';

/** Who reviews keys of other systems reads what they may do as the calls name it. */
export const tokenExporter = listExporter<z.input<typeof ApiToken>>(tokenAdminCalls.export, {
  title: 'settings.tab.tokens',
  sort: 'createdAt',
  page: pageTokens,
  columns: {
    owner: { title: 'token.owner', cell: (row) => row.owner },
    name: { title: 'token.name', cell: (row) => row.name },
    hint: { title: 'token.hint', cell: (row) => row.hint },
    state: { title: 'token.state', cell: (row, lang) => t(lang, `token.state.${row.state}`) },
    platform: { title: 'log.platform', cell: (row, lang) => t(lang, `platform.${row.platform}`) },
    scopes: { title: 'token.scopes', cell: (row) => row.scopes.join('; ') },
    onlyDept: { title: 'token.onlyDept', cell: (row) => row.onlyDept },
    perMinute: { title: 'token.perMinute', cell: (row) => row.perMinute },
    expiresAt: { title: 'token.expiresAt', cell: (row) => momentCell(row.expiresAt) },
    lastUsedAt: { title: 'token.lastUsedAt', cell: (row) => momentCell(row.lastUsedAt) },
    lastIp: { title: 'log.ip', cell: (row) => row.lastIp },
    addresses: { title: 'token.addresses', cell: (row) => row.addresses.join('; ') },
    createdAt: { title: 'token.createdAt', cell: (row) => momentCell(row.createdAt) },
  },
});
