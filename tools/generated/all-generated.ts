import { accessMd } from './access-md.ts';
import { allMachines } from './all-state-machines.ts';
import { apiDocuments } from './api-documents.ts';
import { schemaSql } from './schema-sql.ts';
import { screensMd } from './screens-md.ts';
import { stateMachinesMd } from './state-machines-md.ts';
import { tablesTs } from './tables-ts.ts';

/** A line for each of a thousand calls: set out level by level they would take twice as much, and no call would be easier to find. */
function lineByCall({ paths, ...rest }: { paths?: object }): string {
  const calls = Object.entries(paths ?? {}).map(([path, item]) => `  ${JSON.stringify(path)}: ${JSON.stringify(item)}`);
  return `${JSON.stringify(rest, null, 1).slice(0, -'\n}'.length)},\n "paths": {\n${calls.join(',\n')}\n }\n}\n`;
}
const textOf = (path: string, document: object): string =>
  path === 'docs/api/openapi.json' ? lineByCall(document) : `${JSON.stringify(document, null, 1)}\n`;

/** Every generated file of the project by its path, from a migrated database and the contract. */
export async function allGenerated(url: string): Promise<Map<string, string>> {
  return new Map([
    ['database/tables.ts', await tablesTs(url)],
    ['database/schema.sql', await schemaSql(url)],
    ...Object.entries(apiDocuments()).map(([path, document]): [string, string] => [path, textOf(path, document)]),
    ['docs/access.md', accessMd()],
    ['docs/screens.md', screensMd()],
    ...stateMachinesMd(await allMachines()),
  ]);
}
