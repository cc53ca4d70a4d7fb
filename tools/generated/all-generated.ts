import { accessMd } from './access-md.ts';
import { allMachines } from './all-state-machines.ts';
import { apiDocuments } from './api-documents.ts';
import { schemaSql } from './schema-sql.ts';
import { stateMachinesMd } from './state-machines-md.ts';
import { tablesTs } from './tables-ts.ts';

/** Every generated file of the project by its path, from a migrated database and the contract. */
export async function allGenerated(url: string): Promise<Map<string, string>> {
  return new Map([
    ['database/tables.ts', await tablesTs(url)],
    ['database/schema.sql', await schemaSql(url)],
    ...Object.entries(apiDocuments()).map(([path, document]): [string, string] => [path, `${JSON.stringify(document, null, 1)}\n`]),
    ['docs/access.md', accessMd()],
    ...stateMachinesMd(await allMachines()),
  ]);
}
