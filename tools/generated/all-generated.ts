import { asyncApi } from '@mooring/contract/device/asyncapi';
import { doorsOpenApi } from '@mooring/contract/device/doors-openapi';
import { openApi } from '@mooring/server/platform/http/openapi';
import { accessMd } from './access-md.ts';
import { allLives } from './all-lives.ts';
import { livesMd } from './lives-md.ts';
import { schemaSql } from './schema-sql.ts';
import { tablesTs } from './tables-ts.ts';

/** Every generated file of the project by its path, from a migrated database and the contract. */
export async function allGenerated(url: string): Promise<Map<string, string>> {
  return new Map([
    ['database/tables.ts', await tablesTs(url)],
    ['database/schema.sql', await schemaSql(url)],
    ['docs/api/openapi.json', `${JSON.stringify(openApi(), null, 1)}\n`],
    ['docs/api/device-openapi.json', `${JSON.stringify(doorsOpenApi(), null, 1)}\n`],
    ['docs/api/asyncapi.json', `${JSON.stringify(asyncApi(), null, 1)}\n`],
    ['docs/access.md', accessMd()],
    ...livesMd(await allLives()),
  ]);
}
