import type { House } from '../../platform/house.ts';
import { job, type Module } from '../../platform/module.ts';
import { assembleJob } from './assemble.ts';
import { fileRoutes } from './file.handlers.ts';
import { openFiles } from './files.ts';
import { sweepJob } from './sweep.ts';

export function makeFile(house: House): Module {
  const files = openFiles(house);
  return { name: 'file', routes: fileRoutes(house, files), jobs: [job(assembleJob(files)), job(sweepJob(files))], refs: { file: 'file_file' } };
}
