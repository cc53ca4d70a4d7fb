import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Parser } from '@asyncapi/parser';
import { expect, test } from 'vitest';
import { packageScript } from '../suite/processes.ts';
import { apiDocuments } from './api-documents.ts';

const documents = apiDocuments();

/** What another program's linter says of one, as it is generated now. */
function redocly(name: string, document: object): unknown[] {
  const folder = mkdtempSync(join(tmpdir(), 'mooring-lint-'));
  try {
    writeFileSync(join(folder, name), JSON.stringify(document));
    const { stdout, stderr } = spawnSync(
      process.execPath,
      [packageScript('@redocly', 'cli', 'bin', 'cli.js'), 'lint', '--format=json', '--max-problems=50', name],
      { cwd: folder, encoding: 'utf8', env: { ...process.env, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' } },
    );
    if (!stdout.startsWith('{')) throw new Error(stderr);
    const { problems } = JSON.parse(stdout) as { problems: { ruleId: string; message: string; location: { pointer: string }[] }[] };
    return problems.map(({ ruleId, message, location }) => `${ruleId} ${location[0]?.pointer}: ${message}`);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

test.each(['openapi.json', 'device-openapi.json'])('%s resolves, and a strict linter finds nothing in it', { timeout: 60_000 }, (name) => {
  expect(redocly(name, documents[`docs/api/${name}`] ?? {})).toEqual([]);
});

test('AsyncAPI: the document resolves, and its parser finds nothing wrong in it', { timeout: 60_000 }, async () => {
  const { document, diagnostics } = await new Parser().parse(JSON.stringify(documents['docs/api/asyncapi.json']));
  // Severities above 1 are advice, such as a newer version of the format.
  expect(diagnostics.filter(({ severity }) => severity <= 1).map(({ path, message }) => `${path.join('/')}: ${message}`)).toEqual([]);
  expect(document?.operations().length).toBeGreaterThan(10);
});

test('what a client generator stumbles over isn’t there: empty alternatives, nameless codes, the same name twice', () => {
  const text = JSON.stringify(documents['docs/api/openapi.json']);
  expect(text).not.toMatch(/"anyOf":\[[^[\]]*\{\}/);
  expect(text).toContain('"x-enum-varnames":["image","watermarkImage"');
  const ids = [...text.matchAll(/"operationId":"(\w+)"/g)].map((found) => found[1]);
  expect(new Set(ids).size).toBe(ids.length);
  for (const header of ['Accept-Platform', 'Accept-Deptid', 'Accept-Language', 'Time-Zone']) expect(text).toContain(`"name":"${header}"`);
});
