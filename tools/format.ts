import { packageScript, runNode } from './suite/processes.ts';

const { code } = await runNode([packageScript('@biomejs', 'biome', 'bin', 'biome'), 'check', '--write', '.'], { show: true });
process.exitCode = code;
