import { expect, test } from 'vitest';
import { importFaults } from './import-direction.ts';
import { sourceFiles } from './source-files.ts';

const faultsOf = (path: string, text: string) => importFaults([{ path, text }]);

test('imports go in one direction', () => {
  expect(importFaults(sourceFiles())).toEqual([]);
  // It reads the whole tree, on a machine that may do much else.
}, 60_000);

test.each([
  ['contract/src/kit/a.ts', "import { x } from '@mooring/server/platform/house';"],
  ['contract/src/kit/a.ts', "import { readFileSync } from 'node:fs';"],
  ['server/src/platform/a.ts', "import { x } from '../engines/rollout/decide.ts';"],
  ['server/src/platform/a.ts', "import type { X } from '../modules/device/api.ts';"],
  ['server/src/platform/a.ts', "export type X = import('../modules/device/api.ts').X;"],
  ['server/src/platform/a.ts', "export const x = () => import('../modules/device/api.ts');"],
  ['server/src/engines/rollout/a.ts', "export { x } from '../../modules/device/api.ts';\nexport const y = 1;"],
  ['server/src/modules/device/a.ts', "import { x } from '../../start.ts';"],
  ['server/src/modules/device/a.ts', "import { x } from '../firmware/add-task.ts';"],
  ['server/src/modules/device/a.ts', "import { x } from '../firmware/task.factory.ts';"],
  ['server/src/modules/device/a.ts', "import { x } from '../../../test/database.ts';"],
  ['server/src/engines/rollout/a.medium.test.ts', "import { x } from '../../modules/firmware/add-task.ts';"],
  ['contract/src/kit/a.test.ts', "import { x } from '@mooring/server/start';"],
  ['server/src/modules/auth/a.ts', "import sharp from 'sharp';"],
  ['server/src/modules/auth/a.ts', "import { readXlsx } from '../../platform/work/read-xlsx.ts';"],
  ['web/src/ui/a.tsx', "import { x } from '../kit/page.tsx';"],
  ['web/src/kit/a.tsx', "import { x } from '../features/device/page.tsx';"],
  ['web/src/kit/a.tsx', "import { Button } from 'antd';"],
  ['web/src/app/a.tsx', "import zh from 'antd/locale/zh_CN';"],
  ['web/src/features/device/a.tsx', "import { x } from '../firmware/page.tsx';"],
  ['web/src/features/device/a.tsx', "import { x } from '../../app/routes.ts';"],
  ['web/src/features/device/a.tsx', "import { x } from '@mooring/server/start';"],
  ['terminal/src/a.ts', "import { x } from '@mooring/server/platform/house';"],
  ['web/src/kit/index.ts', "import { x } from './page.tsx';\nexport const y = x;"],
  ['server/src/engines/rollout/rollout.ts', "export * from './decide.ts';"],
])('%s may not hold %s', (path, text) => {
  expect(faultsOf(path, text)).toHaveLength(1);
});

test.each([
  ['server/src/modules/device/a.ts', "import { x } from '../firmware/api.ts';\nimport { y } from '../../platform/app-context.ts';"],
  [
    'server/src/modules/device/a.medium.test.ts',
    "import { x } from '../firmware/task.factory.ts';\nimport { y } from '../../../test/database.ts';",
  ],
  [
    'server/src/engines/rollout/a.medium.test.ts',
    "import { x } from '../../modules/firmware/module.ts';\nimport { y } from '../../start.ts';",
  ],
  ['server/src/modules/auth/a.ts', "import type { Sharp } from 'sharp';\nexport const x = () => import('sharp');"],
  ['web/src/ui/button.tsx', "import { Button } from 'antd';"],
  ['server/src/modules/firmware/api.ts', "export { addTask } from './add-task.ts';"],
])('%s may hold %s', (path, text) => {
  expect(faultsOf(path, text)).toEqual([]);
});
