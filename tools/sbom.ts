import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { writeSbom } from './setup/write-sbom.ts';
import { root } from './suite/processes.ts';

const file = join(root, 'release', 'sbom.cdx.json');
mkdirSync(join(root, 'release'), { recursive: true });
const { components } = await writeSbom(file);
console.log(`${file}: ${components.length} parts`);
