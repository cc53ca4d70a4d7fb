import { expect, test } from 'vitest';
import { sourceFiles } from './source-files.ts';
import { strayFaults } from './stray-words.ts';

test('no unfinished work, no path of one machine, no registry in the lock file', () => {
  expect(strayFaults(sourceFiles())).toEqual([]);
});

test.each([
  ['server/src/a.ts', `// ${['TO', 'DO'].join('')}: later`],
  ['docs/a.md', `cd /${['wo', 'rk'].join('')}/main`],
  ['docs/a.md', `see /${['ho', 'me'].join('')}/anna/mooring`],
  ['package-lock.json', '"resolved": "https://registry.example.org/zod/-/zod-4.0.0.tgz"'],
])('in %s is seen: %s', (path, text) => {
  expect(strayFaults([{ path, text }])).toHaveLength(1);
});

test('other words pass', () => {
  // Put together, so that a plain search does not take it for what it only resembles.
  const innocent = ['', 'task', 'work', 'main'].join('/');
  expect(strayFaults([{ path: 'contract/src/a.ts', text: `'${innocent}', 'https://example.org/home/a', 'todo list'` }])).toEqual([]);
});
